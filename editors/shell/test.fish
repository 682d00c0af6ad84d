#!/usr/bin/env fish
# What Tab offers for `rlc`.
source rlc.fish
set -l scratch (mktemp -d)
printf 'param gamma = 0.9\nparam lr: f32 = 0.1\n' >$scratch/a.rl
set -g failed 0
function expect
    set -l offered (complete -C "rlc $argv[2]" | string replace -r '\t.*' '')
    if not contains -- $argv[1] $offered
        echo "rlc $argv[2]: '$offered' lacks '$argv[1]'"
        set -g failed 1
    end
end
expect run r
expect --seed 'run --se'
expect schedule 'explain s'
expect gpu 'run --device g'
expect gamma= "run $scratch/a.rl ga"
cd $scratch
expect a.rl 'check '
cd -
rm -r $scratch
exit $failed
