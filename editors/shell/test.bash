#!/usr/bin/env bash
# What Tab offers for `rlc`: offers WORD... prints it, the last word being the one at the cursor.
source rlc.bash
compopt() { :; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'param gamma = 0.9\nparam lr: f32 = 0.1\nx = 1\n' >"$scratch/a.rl"
rlc() { printf '  E0301  title\n  E0302  title\n' >&2; return 2; }

offers() {
  COMP_WORDS=(rlc "$@") COMP_CWORD=$#
  _rlc
  echo "${COMPREPLY[*]}"
}
status=0
expect() {
  local wanted=$1 got
  shift
  got=$(offers "$@")
  [[ " $got " == *" $wanted "* ]] || { echo "rlc $*: '$got' lacks '$wanted'"; status=1; }
}
expect run r
expect --seed run --se
expect schedule explain s
expect gpu run --device g
expect "$scratch/a.rl" check "$scratch/"
expect 'gamma= lr=' run "$scratch/a.rl" ""
expect gamma= run --seed 3 "$scratch/a.rl" ga
expect "E0301 E0302" explain E03
exit $status
