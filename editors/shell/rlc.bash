# Made by editors/shell/generate.py from `rlc --help`.
_rlc() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= program= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
      --after|--before|--config|--device|--disable-pass|--filter|--format|--html|--linker|--matmul-precision|--memory-limit|--output|--programs|--repeats|--seconds|--seed|--seeds|--set|--stdlib|--target-cpu|--threads|--together|-o) ((++i)) ;;
      -*) ;;
      *.rl) program=${program:-${COMP_WORDS[i]}} ;;
      *) command=${command:-${COMP_WORDS[i]}} ;;
    esac
  done
  case $before in
    --set) return ;;
    --config) compopt -o filenames; COMPREPLY=($(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word")); return ;;
    --stdlib) compopt -o filenames; COMPREPLY=($(compgen -d -- "$word")); return ;;
    --seeds) return ;;
    --seed) return ;;
    --threads) return ;;
    --device) COMPREPLY=($(compgen -W 'interp cpu gpu auto' -- "$word")); return ;;
    --disable-pass) return ;;
    --memory-limit) return ;;
    --matmul-precision) return ;;
    -o|--output) return ;;
    --target-cpu) return ;;
    --linker) return ;;
    --format) return ;;
    --html) compopt -o filenames; COMPREPLY=($(compgen -f -X '!*' -- "$word") $(compgen -d -- "$word")); return ;;
    --before) return ;;
    --after) return ;;
    --repeats) return ;;
    --seconds) return ;;
    --filter) return ;;
    --programs) compopt -o filenames; COMPREPLY=($(compgen -d -- "$word")); return ;;
    --together) return ;;
  esac
  local options= takes=
  case $command in
    '') COMPREPLY=($(compgen -W 'run build check eval explain bench profile fmt repl lsp -h --help --version' -- "$word")); return ;;
    run) options='-h --help --set --config --verify-each --stdlib --seeds --seed --threads --device --disable-pass --memory-limit --matmul-precision --time-passes --check --json --quiet --check-nan --no-check-nan' takes=program ;;
    build) options='-h --help --set --config --verify-each --stdlib --seeds -o --output --target-cpu --disable-pass --memory-limit --matmul-precision --linker' takes=program ;;
    check) options='-h --help --set --config --verify-each --stdlib --seeds --json' takes=program ;;
    eval) options='-h --help --set --config --verify-each --stdlib --seeds --seed --threads --device --disable-pass --memory-limit --matmul-precision --time-passes --json' takes=program ;;
    explain) options='-h --help --set --config --verify-each --stdlib --seeds --format --device --html -o --output --before --after --disable-pass --operations --memory-limit --matmul-precision' takes=program ;;
    bench) options='-h --help --threads --repeats --seconds --filter --programs --stdlib --seeds --together --device --add --short --json' takes=programs ;;
    profile) options='-h --help --set --config --verify-each --stdlib --seeds --seed --threads --device --disable-pass --memory-limit --matmul-precision --time-passes --json --perf' takes=program ;;
    fmt) options='-h --help --check --diff' takes=programs ;;
    repl) options='-h --help --set --config --verify-each --stdlib --seeds --seed --threads --device --disable-pass --memory-limit --matmul-precision --time-passes --echo' takes=program ;;
    lsp) options='-h --help --stdlib --stdio' takes= ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  if [[ $takes == program && -n $program && -r $program ]]; then
    compopt -o nospace
    COMPREPLY=($(compgen -W "$(sed -n 's/^[[:space:]]*param[[:space:]]\{1,\}\([^[:space:]:=]*\).*/\1=/p' "$program" 2>/dev/null)" -- "$word"))
    return
  fi
  compopt -o filenames
  COMPREPLY=($(compgen -f -X '!*.rl' -- "$word") $(compgen -d -- "$word"))
  [[ $command == explain ]] && COMPREPLY+=($(compgen -W 'graph passes schedule memory loops kernels assembly' -- "$word"))
  if [[ $command == explain && $word == E* ]]; then
    COMPREPLY+=($(compgen -W "$(rlc explain E0 2>&1 | sed -n 's/^  \(E[0-9]\{4\}\) .*/\1/p')" -- "$word"))
  fi
}
complete -F _rlc rlc
