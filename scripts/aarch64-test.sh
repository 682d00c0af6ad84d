#!/usr/bin/env bash
# Builds rlc for aarch64 (ARM, NEON) on another machine and runs tests of it on an emulated processor, qemu's: what is
# computed is told from it, not how fast. Needs root, for an emulator that the system doesn't know yet, and the packages
# mmdebstrap, g++-aarch64-linux-gnu and qemu-user-static. Building takes ten minutes of two cores, all tests an hour.
#
#   scripts/aarch64-test.sh [--dir DIR] [TEST [ARGUMENTS]]
#
#   --dir DIR   where the root and the build go (default /var/tmp/rlc-aarch64); both are kept
#   TEST        a script of tests/ that takes --rlc, in place of all: run_conformance.py --device cpu --filter ^07
set -euo pipefail

source_root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
dir=/var/tmp/rlc-aarch64
while (($# > 0)); do
  case $1 in
    --dir) dir=$2; shift 2 ;;
    -h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    *) break ;;
  esac
done

say() { printf 'aarch64-test: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

for program in mmdebstrap aarch64-linux-gnu-g++ qemu-aarch64-static; do
  command -v "$program" >/dev/null || die "needs the packages mmdebstrap, g++-aarch64-linux-gnu and qemu-user-static"
done
mkdir -p "$dir"
root=$dir/root build=$dir/build

# Libraries and headers alone: nothing in this root is configured, and only what is built here runs.
packages() {
  sed 's/#.*//; /^[[:space:]]*$/d' "$source_root/scripts/packages.txt" | awk 'NF == 1 && !/^clang-format/ {print $1}' | paste -sd,
}

make_root() {
  [[ -e $root.complete ]] && return
  say "unpacking the libraries of Debian 12 for arm64 in $root"
  rm -rf "$root"
  mmdebstrap --variant=extract --architectures=arm64 --include="libc6-dev,libstdc++-12-dev,zlib1g-dev,libzstd-dev,$(packages)" \
    bookworm "$root" >"$dir/root.log" 2>&1 || { tail -n 5 "$dir/root.log" >&2; die "mmdebstrap failed; see $dir/root.log"; }
  touch "$root.complete"
}

# The kernel starts the emulator for each aarch64 program, also for those that tests make.
know_emulator() {
  local known=/proc/sys/fs/binfmt_misc
  [[ -e $known/qemu-aarch64 ]] && return
  ((EUID == 0)) || die "the system doesn't run aarch64 programs: call this as root once, or 'systemctl restart systemd-binfmt'"
  [[ -e $known/register ]] || mount -t binfmt_misc binfmt_misc "$known" || die "this kernel has no binfmt_misc"
  cat /usr/lib/binfmt.d/qemu-aarch64.conf >"$known/register"
}

# A linker for `rlc build`: the libraries that rlc names are those of the root.
make_linker() {
  cat >"$dir/c++" <<TEXT
#!/usr/bin/env bash
words=()
for word; do
  [[ \$word == /usr/lib/aarch64-linux-gnu/* ]] && word=$root\$word
  words+=("\$word")
done
exec aarch64-linux-gnu-g++ --sysroot=$root "\${words[@]}"
TEXT
  chmod +x "$dir/c++"
}

make_root
know_emulator
make_linker
export QEMU_LD_PREFIX=$root
say "building in $build"
cmake --fresh -G Ninja -S "$source_root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DRLC_AARCH64_ROOT="$root" \
  -DCMAKE_TOOLCHAIN_FILE="$source_root/cmake/aarch64.cmake" >"$dir/configure.log" 2>&1 || { cat "$dir/configure.log" >&2; die "the configuration failed"; }
ninja -C "$build" rlc >"$dir/build.log" 2>&1 || { tail -n 30 "$dir/build.log" >&2; die "the build failed"; }

export RLC_TEST_SLOWDOWN=20 RLC_CACHE_DIR=$dir/cache CXX=$dir/c++
status=0
check() {
  local script=$1
  shift
  say "tests/$script $*"
  python3 "$source_root/tests/$script" --rlc "$build/rlc" "$@" || status=1
}

if (($# > 0)); then
  check "$@"
else
  check run_conformance.py --device cpu --running
  check run_conformance.py --device cpu --running --folder "$source_root/tests/stdlib"
  check native/native_test.py
  check build/build_test.py
  check random/compare.py --count 40 --seed 1
  check random/compare.py --of endings --count 20 --seed 1
fi
exit "$status"
