#!/usr/bin/env bash
# Builds, tests and runs rlc. Everything it needs is installed first, if it is not there.
set -euo pipefail

root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
preset=${RLC_PRESET:-release}

usage() {
  cat <<'TEXT'
usage: ./build.sh [--preset NAME] COMMAND [ARGUMENTS]

  run FILE [ARGUMENTS]   build rlc and run a program:  ./build.sh run examples/reinforce_cartpole.rl
  test [CTEST OPTIONS]   build everything and run all tests:  ./build.sh test -R polyhedral
  build [TARGETS]        build everything, or the targets named
  deps                   install the packages that are missing (scripts/packages.txt), nothing else
  bench [OPTIONS]        build, measure this machine, rlc and its peers, and write docs/performance.md;
                         installs what the peers need, where it can (scripts/packages-bench.txt)
  format [--check]       format the sources with clang-format, or say which are not formatted
  clean                  remove the preset's build folder
  help                   this text

presets: release (the default), dev, asan, ci; each has its folder, build/NAME. dev compiles each file alone,
which is quick after a change; the others compile two dozen at once, which is quick for the whole.
The program is build/release/rlc.
TEXT
}

say() { printf 'build.sh: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# ---- packages -------------------------------------------------------------------------------

# Prints the packages of a list, scripts/packages.txt, that are neither installed nor replaced by their command.
missing_packages() {
  local list=${1:-$root/scripts/packages.txt}
  local -A status=()
  local name state command
  local names=()
  while read -r name command; do
    names+=("$name")
  done < <(sed 's/#.*//; /^[[:space:]]*$/d' "$list")
  while read -r name state; do
    status[$name]=$state
  done < <(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null)
  while read -r name command; do
    case ${status[$name]:-absent} in
      installed) continue ;;
      absent | not-installed | config-files)
        if [[ -n $command ]] && command -v "$command" >/dev/null; then continue; fi ;;
    esac
    echo "$name"
  done < <(sed 's/#.*//; /^[[:space:]]*$/d' "$list")
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

may_become_root() {
  ((EUID == 0)) && return 0
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null && return 0
  [[ -t 0 && -t 2 ]] && say "installing packages needs root; sudo asks for your password" && sudo -v
}

# A run that was interrupted is repaired first; the package manager's own output goes to a log.
try_to_install() {
  local log=$root/build/packages.log
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3)
  say "installing with apt (a minute or two; log in build/packages.log): $*"
  as_root dpkg --configure -a >"$log" 2>&1 </dev/null || true
  as_root "${apt[@]}" update >>"$log" 2>&1 </dev/null || say "apt-get update failed in part; going on"
  as_root "${apt[@]}" install -y --no-install-recommends "$@" >>"$log" 2>&1 </dev/null
}

install_packages() {
  if ! try_to_install "$@"; then
    tail -n 15 "$root/build/packages.log" >&2
    die "the packages could not be installed (on Ubuntu they need the component 'universe')"
  fi
}

# What the peers of `bench` need: rlc is measured without it, too.
ensure_peers() {
  local list=$root/scripts/packages-bench.txt missing
  command -v dpkg-query >/dev/null || return 0
  mapfile -t missing < <(missing_packages "$list")
  ((${#missing[@]} == 0)) && return
  lock packages
  if may_become_root && try_to_install "${missing[@]}"; then
    unlock
    return
  fi
  unlock
  say "some peers won't be measured; they need: apt-get install -y --no-install-recommends ${missing[*]}"
}

ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian or Ubuntu system: taking what scripts/packages.txt lists as installed"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]} == 0)) && return
  lock packages
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]} == 0)) && { unlock; return; }
  if ! may_become_root; then
    say "missing packages: ${missing[*]}"
    die "install them as root with: apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  fi
  install_packages "${missing[@]}"
  mapfile -t missing < <(missing_packages)
  unlock
  ((${#missing[@]} == 0)) || die "still missing after the installation: ${missing[*]}"
}

# ---- building -------------------------------------------------------------------------------

# Holds NAME's lock on descriptor 9 until unlock, so that two calls never build in one folder at once.
lock() {
  command -v flock >/dev/null || return 0
  exec 9>"$root/build/.$1.lock"
  flock -n 9 && return
  say "waiting for another call that is using $1"
  flock 9
}

unlock() { exec 9>&-; }

# Ninja runs CMake again by itself; this is for a new folder, other presets and a moved checkout.
configured() {
  [[ -f $build/build.ninja && ! $root/CMakePresets.json -nt $build/build.ninja ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" &&
    grep -qxF "CMAKE_CACHEFILE_DIR:INTERNAL=$build" "$build/CMakeCache.txt"
}

configure() {
  configured && return
  say "configuring build/$preset"
  local log=$root/build/configure-$preset.log
  if ! (cd "$root" && cmake --fresh --preset "$preset" >"$log" 2>&1 9>&-); then
    cat "$log" >&2
    rm -f "$build/build.ninja"
    die "the configuration failed"
  fi
}

# As many compilations at once as there are cores, and no more than memory carries.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ {print int($2 / 1200000)}' /proc/meminfo 2>/dev/null || echo "$cores")
  ((memory >= 1)) || memory=1
  echo $((cores < memory ? cores : memory))
}

compile() {
  configure
  local quiet=()
  if ninja -C "$build" -n "$@" 2>/dev/null 9>&- | grep -q 'no work to do'; then return; fi
  say "building build/$preset"
  [[ -t 1 ]] || quiet=(--quiet)
  NINJA_STATUS='[%f/%t] ' ninja -C "$build" "${quiet[@]}" -j "$(jobs)" "$@" >&2 9>&- ||
    die "the build failed"
}

make_build_folder() {
  mkdir -p "$root/build" && [[ -w $root/build ]] || die "cannot write to $root/build"
}

prepare() {
  make_build_folder
  ensure_packages
  lock "$preset"
  compile "$@"
  unlock
}

# ---- commands -------------------------------------------------------------------------------

run() {
  (($# > 0)) || die "run needs a file, as in: ./build.sh run examples/reinforce_cartpole.rl"
  prepare rlc
  local file=$1
  shift
  if [[ ! -e $file && -e $root/$file ]]; then file=$root/$file; fi
  exec "$build/rlc" run "$file" "$@"
}

bench() {
  make_build_folder
  ensure_peers
  # CMake looks again for peers' libraries, which may have come since.
  if grep -qsE '^(OPENBLAS|DNNL)_.*-NOTFOUND$' "$build/CMakeCache.txt"; then rm -f "$build/build.ninja"; fi
  prepare rlc rlc_benchmarks
  exec python3 "$root/benchmarks/report.py" --build "$build" "$@"
}

run_ctest() {
  ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(nproc)" "$@" 9>&-
}

# The last line counts the tests and stands alone. Off a terminal the tests that pass are left out.
run_tests() {
  prepare
  lock "$preset-tests"
  local results=$build/test-results.xml status=0
  rm -f "$results"
  say "testing build/$preset"
  if [[ -t 1 ]]; then
    run_ctest --progress --output-junit "$results" "$@" || status=$?
  else
    run_ctest --output-junit "$results" "$@" |
      sed -uE '/^ +Start +[0-9]+: /d; /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: .* Passed /d' || status=$?
  fi
  unlock
  count_tests "$results" || status=$?
  return "$status"
}

count_tests() {
  [[ -f $1 ]] || { echo "0 passed, 0 failed"; return 1; }
  python3 - "$1" <<'TEXT'
import sys
import xml.etree.ElementTree as xml

suite = xml.parse(sys.argv[1]).getroot()
total, failed = int(suite.get("tests", 0)), int(suite.get("failures", 0))
left_out = int(suite.get("skipped", 0)) + int(suite.get("disabled", 0))
if left_out:
    print(f"{left_out} skipped")
print(f"{total - failed - left_out} passed, {failed} failed")
sys.exit(0 if total > left_out and failed == 0 else 1)
TEXT
}

# One version, for another formats otherwise.
format() {
  command -v clang-format-19 >/dev/null || die "clang-format-19 is not installed (package clang-format-19)"
  local mode=(-i)
  [[ ${1:-} == --check ]] && mode=(--dry-run --Werror)
  (cd "$root" && find benchmarks compiler jit tests tools '(' -name '*.cpp' -o -name '*.h' ')' -print0 | xargs -0 clang-format-19 "${mode[@]}")
}

while (($# > 0)); do
  case $1 in
    --preset) (($# > 1)) || die "--preset needs a name"; preset=$2; shift 2 ;;
    --preset=*) preset=${1#*=}; shift ;;
    *) break ;;
  esac
done
case $preset in
  release | ci | dev | asan) ;;
  *) die "no preset is named '$preset' (release, ci, dev, asan)" ;;
esac
build=$root/build/$preset

command=${1:-help}
shift || true
case $command in
  run) run "$@" ;;
  test) run_tests "$@" ;;
  bench) bench "$@" ;;
  build) prepare "$@" ;;
  deps) make_build_folder; ensure_packages; say "all packages are there" ;;
  format) format "$@" ;;
  clean) rm -rf "$build" ;;
  help | -h | --help) usage ;;
  *) usage >&2; say "unknown command '$command'"; exit 2 ;;
esac
