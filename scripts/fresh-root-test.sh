#!/usr/bin/env bash
# Tries the two commands of the README as on a new machine: a minimal Debian or Ubuntu in a folder, with none of the packages,
# gets a clone of the last commit and runs them in a chroot. Needs root and debootstrap.
#
#   scripts/fresh-root-test.sh [--dir DIR] [--suite NAME] [--mirror URL] [--keyring FILE] [--keep] [--shell] [PROGRAM [ARGUMENTS]]
#
#   --dir DIR   where the roots go (default /var/tmp/rlc-fresh-root); DIR/base-NAME is made once and kept
#   --suite     the release (default bookworm, Debian 12)
#   --mirror    where it is; default: where this machine's apt gets its packages. For Ubuntu 24.04:
#               --suite noble --mirror http://archive.ubuntu.com/ubuntu --keyring FILE
#   --keyring   of who signs it, for debootstrap: /usr/share/keyrings/ubuntu-archive-keyring.gpg of the package ubuntu-keyring
#   --keep      leave DIR/root behind; --shell opens a shell in it at the end
#   PROGRAM     what is run (default examples/reinforce_cartpole.rl)
set -euo pipefail

source_root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
dir=/var/tmp/rlc-fresh-root keep=0 shell=0 suite=bookworm mirror="" keyring=""
while (($# > 0)); do
  case $1 in
    --dir) dir=$2; shift 2 ;;
    --suite) suite=$2; shift 2 ;;
    --mirror) mirror=$2; shift 2 ;;
    --keyring) keyring=$2; shift 2 ;;
    --keep) keep=1; shift ;;
    --shell) shell=1; shift ;;
    -h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    *) break ;;
  esac
done
(($# > 0)) || set -- examples/reinforce_cartpole.rl

say() { printf 'fresh-root-test: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
((EUID == 0)) || die "needs root"
command -v debootstrap >/dev/null || die "needs the package debootstrap"
mkdir -p "$dir"
root=$dir/root base=$dir/base-$suite

# The suites that this machine's apt reads: lines 'site suite component'.
read_here() { apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u; }

# Those of the release, its updates among them; of a release that this machine doesn't read, what its mirror should have.
suites() {
  local found
  if [[ -n $mirror ]]; then
    for found in "$suite" "$suite-updates" "$suite-security"; do printf '%s %s main universe\n' "$mirror" "$found"; done
    return
  fi
  found=$(read_here | awk -v suite="$suite" '$2 ~ "^" suite "(-updates|-security)?$" && $3 == "main"')
  [[ -n $found ]] || found=$(read_here | awk -v suite="$suite" '$2 !~ /-/ && $3 == "main" {print $1, suite, $3; exit}')
  printf '%s\n' "$found"
}

make_base() {
  [[ -e $base.complete ]] && return
  local from script=/usr/share/debootstrap/scripts/$suite
  from=$(suites | awk -v suite="$suite" '$2 == suite {print $1; exit}')
  [[ -n $from ]] || die "this machine's apt has no mirror of $suite"
  say "making a minimal $suite in $base"
  rm -rf "$base"
  [[ -e $script ]] || script=${script%/*}/gutsy  # a release of Ubuntu that is newer than this debootstrap: they are all made alike
  debootstrap --variant=minbase ${keyring:+"--keyring=$keyring"} "$suite" "$base" "$from" "$script" >"$dir/debootstrap.log" 2>&1 ||
    die "debootstrap failed; see $dir/debootstrap.log"
  touch "$base.complete"
}

unmount_all() {
  local point
  for point in dev/pts dev/shm dev proc sys; do
    mountpoint -q "$root/$point" && umount -l "$root/$point"
  done
  return 0
}

finish() {
  unmount_all
  ((keep || shell)) || rm -rf "$root"
}

make_root() {
  unmount_all
  rm -rf "$root"
  say "copying it to $root, with a clone of the last commit"
  cp -a "$base" "$root"
  suites | sed 's/^/deb /' >"$root/etc/apt/sources.list"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  apt-config dump | grep -E '^Acquire::(http|https)::.*Proxy' >"$root/etc/apt/apt.conf.d/90proxy" || true
  mount --bind /dev "$root/dev"
  mount --bind /dev/pts "$root/dev/pts"
  mount -t proc proc "$root/proc"
  mkdir -p "$root/home/user"
  git clone -q --no-hardlinks "$source_root" "$root/home/user/a checkout"
}

# inside UID COMMAND: runs it in the checkout's folder, in an environment without anything of this machine's.
inside() {
  local uid=$1
  shift
  chroot --userspec="$uid:$uid" "$root" /usr/bin/env -i HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    /bin/sh -c 'cd "/home/user/a checkout" && exec "$@"' sh "$@"
}

timed() {
  local what=$1 start=$SECONDS status=0
  shift
  "$@" || status=$?
  say "$what: status $status after $((SECONDS - start)) s"
  return "$status"
}

make_base
trap finish EXIT
make_root

say "1. without root the missing packages are named"
chown -R 1000:1000 "$root/home/user"
if inside 1000 ./build.sh run "$@" 2>"$dir/named.log"; then die "it should have failed"; fi
grep -q 'apt-get install.* llvm-19-dev' "$dir/named.log" || { cat "$dir/named.log"; die "it did not name them"; }
chown -R 0:0 "$root/home/user"

status=0
say "2. ./build.sh run $*"
timed "run" inside 0 ./build.sh run "$@" || status=1
say "3. ./build.sh test"
timed "test" inside 0 ./build.sh test || status=1

say "4. again, without root and with everything installed"
chown -R 1000:1000 "$root/home/user"
timed "build" inside 1000 ./build.sh build || status=1
if ((shell)); then inside 0 /bin/bash || true; fi
exit "$status"
