#!/usr/bin/env bash
# On a machine with a GPU, inside what gpu-bundle.sh made (or in a checkout after a build): conformance, learning, compute-sanitizer, kernels and
# workloads on the GPU, beside JAX and PyTorch where they are installed. Prints one table, with "not measured" where
# something is missing; status 0 if everything that ran was right, 1 if something was wrong, 2 without Python, 3 without a GPU.
#
#   ./gpu-check.sh [--quick | --tiny] [--rlc PATH]
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
if ! command -v python3 >/dev/null; then
  echo "gpu-check.sh: the table needs Python 3 (package python3), which is not installed" >&2
  if [[ -x $here/rlc ]]; then
    "$here/rlc" eval "1 + 1" --device gpu >/dev/null || exit 3
    echo "gpu-check.sh: rlc itself can use the GPU of this machine" >&2
  fi
  exit 2
fi
exec python3 "$here/gpu_check.py" "$@"
