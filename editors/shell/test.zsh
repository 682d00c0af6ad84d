#!/usr/bin/env zsh
# What Tab offers for `rlc`, asked for through a pseudo-terminal as a user would.
emulate -L zsh -o extendedglob
zmodload zsh/zpty || exit 1
scratch=$(mktemp -d)
trap 'rm -rf $scratch' EXIT
print 'param gamma = 0.9\nparam lr: f32 = 0.1' >$scratch/a.rl

# Completes $1 and prints the line that stands there afterwards.
completed() {
  zpty -b shell "ZDOTDIR=${(q)scratch} TERM=dumb zsh -f -i"
  zpty -w shell "PS1= ; fpath=(${(q)PWD} \$fpath); autoload -Uz compinit; compinit -u -d ${(q)scratch}/dump; cd ${(q)scratch}; zle-line() { print -r -- \"<\$BUFFER>\"; }; zle -N zle-line; bindkey '^X' zle-line; print READY"
  local output= chunk i
  for ((i = 0; i < 100; ++i)); do
    zpty -r -t shell chunk && output+=$chunk || sleep 0.05
    [[ $output == *$'\n'READY* ]] && break
  done
  zpty -w -n shell "$1"$'\t'
  sleep 0.4
  zpty -w -n shell $'\x18'
  for ((i = 0; i < 100; ++i)); do
    zpty -r -t shell chunk && output+=$chunk || sleep 0.05
    [[ $output == *'<rlc'*'>'* ]] && break
  done
  zpty -d shell
  print -r -- ${${output##*'<rlc'}%%'>'*}
}
exit_status=0
expect() {
  local got=$(completed "rlc $2")
  [[ ${${got## #}%% #} == $1 ]] || { print -r -- "rlc $2: '$got', not '$1'"; exit_status=1; }
}
expect 'check' 'ch'
expect 'run --seed' 'run --see'
expect 'run --device interp' 'run --device int'
expect 'explain schedule' 'explain sc'
expect 'explain schedule a.rl' 'explain schedule a.'
expect 'run a.rl' 'run a'
expect 'run a.rl gamma=' 'run a.rl ga'
exit $exit_status
