#!/usr/bin/env bash
# On a machine with a GPU, inside what gpu-bundle.sh made (or in a checkout after a build): conformance, learning and workloads on the GPU,
# beside JAX and PyTorch where they are installed. Prints one table, with "not measured" where
# something is missing; status 0 if everything that ran was right, 3 without a GPU.
#
#   ./gpu-check.sh [--quick | --tiny] [--rlc PATH]
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
command -v python3 >/dev/null || { echo "gpu-check.sh: python3 is needed" >&2; exit 2; }
exec python3 "$here/gpu_check.py" "$@"
