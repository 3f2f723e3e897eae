#!/usr/bin/env bash
# Makes a minimal Debian 12 in an empty folder; takes root and debootstrap.
# usage: bare.sh FOLDER MIRROR
set -euo pipefail
root=$1 mirror=$2
debootstrap --variant=minbase bookworm "$root" "$mirror"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# packages are unpacked without waiting for the disk, and services are not started
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
chroot "$root" apt-get -q update
