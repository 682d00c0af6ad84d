# Made by editors/shell/generate.py from `rlc --help`.
complete -c rlc -f

function __rlc_params
  set -l program (string match -- '*.rl' (commandline -opc))[1]
  test -r "$program"; and sed -n 's/^[[:space:]]*param[[:space:]]\{1,\}\([^[:space:]:=]*\).*/\1=/p' "$program"
end

function __rlc_has_program
  string match -q -- '*.rl' (commandline -opc)
end

complete -c rlc -n 'not __fish_seen_subcommand_from run check eval explain fmt repl lsp' -s h -l help -d 'Print this help message and exit'
complete -c rlc -n 'not __fish_seen_subcommand_from run check eval explain fmt repl lsp' -l version -d 'print the version'

complete -c rlc -n 'not __fish_seen_subcommand_from run check eval explain fmt repl lsp' -a run -d 'compile a program and run it'
complete -c rlc -n '__fish_seen_subcommand_from run' -s h -l help -d 'Print this help message and exit'
complete -c rlc -n '__fish_seen_subcommand_from run' -l set -x -d 'the value of a param; may be repeated'
complete -c rlc -n '__fish_seen_subcommand_from run' -l config -x -a '(__fish_complete_suffix .toml)' -d 'values of params from a TOML file; --set and name=value win'
complete -c rlc -n '__fish_seen_subcommand_from run' -l verify-graph -d 'check the compiler\'s own invariants after each phase'
complete -c rlc -n '__fish_seen_subcommand_from run' -l stdlib -x -a '(__fish_complete_directories)' -d 'the folder of the standard library'
complete -c rlc -n '__fish_seen_subcommand_from run' -l seed -x -d 'the seed of all draws (default: 0)'
complete -c rlc -n '__fish_seen_subcommand_from run' -l device -x -a 'interp cpu gpu auto' -d 'interp, cpu, gpu or auto (default: auto)'
complete -c rlc -n '__fish_seen_subcommand_from run' -l threads -x -d 'how many threads (default: one a core)'
complete -c rlc -n '__fish_seen_subcommand_from run' -l disable-pass -x -d 'leave an optimization out; may be repeated'
complete -c rlc -n '__fish_seen_subcommand_from run' -l time-passes -d 'how long each optimization took, on stderr'
complete -c rlc -n '__fish_seen_subcommand_from run' -l json -d 'results as JSON, an object a line'
complete -c rlc -n '__fish_seen_subcommand_from run' -l quiet -d 'no progress line and no warnings'
complete -c rlc -n '__fish_seen_subcommand_from run' -l check-nan -l no-check-nan -d 'say where the first NaN came up when a report is NaN (default: on)'
complete -c rlc -n '__fish_seen_subcommand_from run; and not __rlc_has_program' -k -a '(__fish_complete_suffix .rl)'
complete -c rlc -n '__fish_seen_subcommand_from run; and __rlc_has_program' -a '(__rlc_params)'

complete -c rlc -n 'not __fish_seen_subcommand_from run check eval explain fmt repl lsp' -a check -d 'print all errors of a program'
complete -c rlc -n '__fish_seen_subcommand_from check' -s h -l help -d 'Print this help message and exit'
complete -c rlc -n '__fish_seen_subcommand_from check' -l set -x -d 'the value of a param; may be repeated'
complete -c rlc -n '__fish_seen_subcommand_from check' -l config -x -a '(__fish_complete_suffix .toml)' -d 'values of params from a TOML file; --set and name=value win'
complete -c rlc -n '__fish_seen_subcommand_from check' -l verify-graph -d 'check the compiler\'s own invariants after each phase'
complete -c rlc -n '__fish_seen_subcommand_from check' -l stdlib -x -a '(__fish_complete_directories)' -d 'the folder of the standard library'
complete -c rlc -n '__fish_seen_subcommand_from check' -l json -d 'as JSON, an object a line'
complete -c rlc -n '__fish_seen_subcommand_from check; and not __rlc_has_program' -k -a '(__fish_complete_suffix .rl)'
complete -c rlc -n '__fish_seen_subcommand_from check; and __rlc_has_program' -a '(__rlc_params)'

complete -c rlc -n 'not __fish_seen_subcommand_from run check eval explain fmt repl lsp' -a eval -d 'evaluate an expression'
complete -c rlc -n '__fish_seen_subcommand_from eval' -s h -l help -d 'Print this help message and exit'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l set -x -d 'the value of a param; may be repeated'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l config -x -a '(__fish_complete_suffix .toml)' -d 'values of params from a TOML file; --set and name=value win'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l verify-graph -d 'check the compiler\'s own invariants after each phase'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l stdlib -x -a '(__fish_complete_directories)' -d 'the folder of the standard library'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l seed -x -d 'the seed of all draws (default: 0)'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l device -x -a 'interp cpu gpu auto' -d 'interp, cpu, gpu or auto (default: auto)'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l threads -x -d 'how many threads (default: one a core)'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l disable-pass -x -d 'leave an optimization out; may be repeated'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l time-passes -d 'how long each optimization took, on stderr'
complete -c rlc -n '__fish_seen_subcommand_from eval' -l json -d 'as JSON, an object a line'
complete -c rlc -n '__fish_seen_subcommand_from eval; and not __rlc_has_program' -k -a '(__fish_complete_suffix .rl)'
complete -c rlc -n '__fish_seen_subcommand_from eval; and __rlc_has_program' -a '(__rlc_params)'

complete -c rlc -n 'not __fish_seen_subcommand_from run check eval explain fmt repl lsp' -a explain -d 'explain an error code, or show what became of a program'
complete -c rlc -n '__fish_seen_subcommand_from explain' -s h -l help -d 'Print this help message and exit'
complete -c rlc -n '__fish_seen_subcommand_from explain' -l set -x -d 'the value of a param; may be repeated'
complete -c rlc -n '__fish_seen_subcommand_from explain' -l config -x -a '(__fish_complete_suffix .toml)' -d 'values of params from a TOML file; --set and name=value win'
complete -c rlc -n '__fish_seen_subcommand_from explain' -l verify-graph -d 'check the compiler\'s own invariants after each phase'
complete -c rlc -n '__fish_seen_subcommand_from explain' -l stdlib -x -a '(__fish_complete_directories)' -d 'the folder of the standard library'
complete -c rlc -n '__fish_seen_subcommand_from explain; and not __rlc_has_program' -k -a '(__fish_complete_suffix .rl)'
complete -c rlc -n '__fish_seen_subcommand_from explain; and __rlc_has_program' -a '(__rlc_params)'
complete -c rlc -n '__fish_seen_subcommand_from explain; and not __rlc_has_program' -a 'graph passes schedule memory loops kernels assembly'
complete -c rlc -n '__fish_seen_subcommand_from explain; and not __rlc_has_program; and string match -q "E*" (commandline -ct)' -a '(rlc explain E0 2>&1 | sed -n \'s/^  \\(E[0-9]\\{4\\}\\) .*/\\1/p\')'

complete -c rlc -n 'not __fish_seen_subcommand_from run check eval explain fmt repl lsp' -a fmt -d 'lay programs out in the one style'
complete -c rlc -n '__fish_seen_subcommand_from fmt' -s h -l help -d 'Print this help message and exit'
complete -c rlc -n '__fish_seen_subcommand_from fmt' -l check -d 'change nothing; list the files that would change'
complete -c rlc -n '__fish_seen_subcommand_from fmt' -l diff -d 'change nothing; show what would change'
complete -c rlc -n '__fish_seen_subcommand_from fmt' -k -a '(__fish_complete_suffix .rl)'

complete -c rlc -n 'not __fish_seen_subcommand_from run check eval explain fmt repl lsp' -a repl -d 'a prompt for definitions and expressions'
complete -c rlc -n '__fish_seen_subcommand_from repl' -s h -l help -d 'Print this help message and exit'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l set -x -d 'the value of a param; may be repeated'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l config -x -a '(__fish_complete_suffix .toml)' -d 'values of params from a TOML file; --set and name=value win'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l verify-graph -d 'check the compiler\'s own invariants after each phase'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l stdlib -x -a '(__fish_complete_directories)' -d 'the folder of the standard library'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l seed -x -d 'the seed of all draws (default: 0)'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l device -x -a 'interp cpu gpu auto' -d 'interp, cpu, gpu or auto (default: auto)'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l threads -x -d 'how many threads (default: one a core)'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l disable-pass -x -d 'leave an optimization out; may be repeated'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l time-passes -d 'how long each optimization took, on stderr'
complete -c rlc -n '__fish_seen_subcommand_from repl' -l echo -d 'from a pipe: show prompts and inputs, too'
complete -c rlc -n '__fish_seen_subcommand_from repl; and not __rlc_has_program' -k -a '(__fish_complete_suffix .rl)'
complete -c rlc -n '__fish_seen_subcommand_from repl; and __rlc_has_program' -a '(__rlc_params)'

complete -c rlc -n 'not __fish_seen_subcommand_from run check eval explain fmt repl lsp' -a lsp -d 'the language server, for editors'
complete -c rlc -n '__fish_seen_subcommand_from lsp' -s h -l help -d 'Print this help message and exit'
complete -c rlc -n '__fish_seen_subcommand_from lsp' -l stdlib -x -a '(__fish_complete_directories)' -d 'the folder of the standard library'
complete -c rlc -n '__fish_seen_subcommand_from lsp' -l stdio -d 'standard input and output: the only way, and the default'
