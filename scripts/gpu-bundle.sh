#!/usr/bin/env bash
# Makes one archive that runs on a machine with a GPU and nothing else of what building rlc needs: rlc with what it needs of LLVM inside it,
# the libraries that it is linked to (the C library among them), the standard library, examples, tests and benchmarks, and gpu-check.sh.
#
#   scripts/gpu-bundle.sh [--build build/release] [--output rlc-gpu.tar.gz] [--level 9]
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
build=$root/build/release
output=$PWD/rlc-gpu.tar.gz
level=9  # of gzip, which is on every system, as xz is not
limit=$((60 * 1000 * 1000))

while (($#)); do
  case $1 in
    --build) build=$(readlink -f "$2"); shift 2 ;;
    --output) output=$(readlink -f "$(dirname "$2")")/$(basename "$2"); shift 2 ;;
    --level) level=$2; shift 2 ;;
    *) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
[[ -f $build/build.ninja ]] || { echo "gpu-bundle.sh: $build is no build: ./build.sh build makes it" >&2; exit 1; }
cmake --build "$build" --target rlc >/dev/null
program=$build/rlc
! ldd "$program" | grep -q libLLVM || {
  echo "gpu-bundle.sh: $program needs LLVM's shared library: build it where LLVM's archives and libzstd are (./build.sh deps)" >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle=$work/rlc-gpu
mkdir -p "$bundle/lib" "$bundle/share"

cp "$program" "$bundle/lib/rlc"
strip "$bundle/lib/rlc"
# Every library, and the loader that goes with the C library among them.
ldd "$program" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | sort -u | while read -r library; do
  cp -L "$library" "$bundle/lib/"
  strip --strip-unneeded "$bundle/lib/$(basename "$library")" 2>/dev/null || true
done

cat > "$bundle/rlc" <<'RUN'
#!/bin/sh
# The libraries beside it are used whatever the machine has; the NVIDIA driver's are the machine's.
here=$(dirname "$(readlink -f "$0")")
export RLC_STDLIB="${RLC_STDLIB:-$here/share/stdlib}"
exec "$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$here/lib/rlc" "$@"
RUN
chmod +x "$bundle/rlc"

cp -r "$root/stdlib" "$bundle/share/stdlib"
cp -r "$root/examples" "$bundle/examples"
mkdir -p "$bundle/tests" "$bundle/benchmarks"
cp -r "$root/tests/conformance" "$root/tests/support" "$root/tests/run_conformance.py" "$bundle/tests/"
cp -r "$root/benchmarks/workloads" "$root/benchmarks/peers" "$bundle/benchmarks/"
cp "$root/benchmarks/learning.json" "$bundle/benchmarks/"
cp "$root/scripts/gpu-check.sh" "$root/scripts/gpu_check.py" "$bundle/"
cp "$root/docs/gpu.md" "$bundle/README.md"
find "$bundle" -name __pycache__ -type d -prune -exec rm -rf {} +

tar -C "$work" -c rlc-gpu | gzip "-$level" > "$output"
size=$(stat -c %s "$output")
echo "$output: $size bytes"
((size < limit)) || { echo "gpu-bundle.sh: more than $limit bytes" >&2; exit 1; }
