#!/usr/bin/env bash
# Makes a file system for containers, as a tar for `docker import` or `podman import`: a minimal Debian 12 with the package.
# usage: container.sh DEB OUTPUT_DIR
# SALTUS_MIRROR: an address of Debian's packages; by default that which apt uses here. In the tar stands Debian's own.
set -euo pipefail
deb=$1 output=$2
name=$(basename "$deb" .deb)

refuse() {
    echo "no file system for containers is made: $*" >&2
    exit 0
}

((EUID == 0)) || refuse "it takes root to make one"
command -v debootstrap >/dev/null || refuse "debootstrap is not installed (apt-get install debootstrap)"
mirror=${SALTUS_MIRROR:-$(bash "$(dirname "$0")/mirror.sh")}
public=$(sed -n 's/^DEF_MIRROR="\(.*\)"/\1/p' "$(command -v debootstrap)") # that of Debian
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
bash "$(dirname "$0")/bare.sh" "$root" "${mirror:-$public}" >"$output/container.log" 2>&1 ||
    refuse "debootstrap fails, see $output/container.log"

# The package is installed and tried as a user does it: what does not work here is a fault of the package.
cp "$deb" "$root/saltus.deb"
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install /saltus.deb \
    >>"$output/container.log" 2>&1 || { echo "apt-get does not install the package, see $output/container.log" >&2 && exit 1; }
chroot "$root" saltus solve -q /usr/share/saltus/examples/pendulum_swingup.xml -o /tmp/swingup.saltus
chroot "$root" saltus report /tmp/swingup.saltus >>"$output/container.log" 2>&1

# Without what a container does not need, and what is of this machine
chroot "$root" apt-get clean
find "$root/tmp" "$root/var/lib/apt/lists" "$root/var/log" "$root/var/cache/ldconfig" -mindepth 1 -delete
rm -f "$root/saltus.deb" "$root/etc/resolv.conf" "$root/etc/hostname" "$root/etc/dpkg/dpkg.cfg.d/unsafe-io" "$root/usr/sbin/policy-rc.d"
echo "deb $public bookworm main" >"$root/etc/apt/sources.list"
tar -C "$root" --numeric-owner --one-file-system -czf "$output/$name-container.tar.gz" .
echo "$(cd "$output" && pwd)/$name-container.tar.gz"
