#!/usr/bin/env bash
# Makes a Debian package of what was built: saltus_VERSION_ARCHITECTURE.deb, with the command, the shared library, its
# headers and pkg-config file, the manual, completion for shells, the documentation, examples and models.
# usage: deb.sh SOURCE_DIR BUILD_DIR OUTPUT_DIR
set -euo pipefail
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd) output=$(cd "$3" && pwd)
architecture=$(dpkg --print-architecture)
tree=$build/deb/saltus
share=$tree/usr/share

# Files have the time of the commit, so that the same commit gives the same package.
SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH

install_files() {
    rm -rf "$build/deb"
    mkdir -p "$tree/DEBIAN"
    DESTDIR=$tree meson install -C "$build" --no-rebuild --quiet
    mkdir -p "$share/doc/saltus" "$share/saltus"
    cp -r "$source/README.md" "$source/SECURITY.md" "$source/docs" "$share/doc/saltus/"
    cp -r "$source/examples" "$source/models" "$share/saltus/"
    mkdir -p "$share/zsh"
    mv "$share/zsh/site-functions" "$share/zsh/vendor-completions" # where Debian's zsh looks
    # the static library, which alone needs these, is not in the package
    sed -i '/^Requires.private:/d; /^Libs.private:/d' "$tree"/usr/lib/*/pkgconfig/saltus.pc
    gzip -9n "$share"/man/man1/*.1
    chmod -R u=rwX,go=rX "$tree"
}

# The program as a whole falls under the GPL, because of Debian's CHOLMOD: docs/licences.md says why.
write_copyright() {
    {
        echo "saltus is under the Apache License 2.0, see /usr/share/common-licenses/Apache-2.0."
        echo "This package links with the libraries named below. One of them, CHOLMOD as Debian builds it, contains"
        echo "modules under the GPL 2 or later, so that the package as a whole may be passed on under the terms of the"
        echo "GPL 3: /usr/share/common-licenses/GPL-3."
        echo
        cat "$source/docs/licences.md"
        if ls "$source"/.cache/viewer/node_modules/{three,uplot}/LICENSE >/dev/null 2>&1; then
            for name in three uplot; do # parts of the pages
                printf '\n## %s\n\n' "$name"
                cat "$source/.cache/viewer/node_modules/$name/LICENSE"
            done
        fi
    } >"$share/doc/saltus/copyright"
}

# The packages of the libraries that the command and the library ask for
needed_packages() {
    mkdir -p "$build/deb/depends/debian"
    printf 'Source: saltus\n\nPackage: saltus\nArchitecture: any\n' >"$build/deb/depends/debian/control"
    (cd "$build/deb/depends" && dpkg-shlibdeps -O "$tree/usr/bin/saltus" "$tree"/usr/lib/*/libsaltus.so.*.*.* \
        -l"$(echo "$tree"/usr/lib/*-linux-*)" --ignore-missing-info) | sed -n 's/^shlibs:Depends=//p'
}

write_control() {
    local depends version=$1
    depends=$(needed_packages)
    [[ $depends == *libcholmod* ]] || { echo "deb.sh: cannot find the packages of the libraries" >&2 && return 1; }
    (cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    echo "activate-noawait ldconfig" >"$tree/DEBIAN/triggers"
    cat >"$tree/DEBIAN/control" <<END
Package: saltus
Version: $version
Architecture: $architecture
Maintainer: The authors of saltus <saltus@invalid>
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Depends: $depends
Suggests: openmpi-bin, gcc, pkgconf, python3-numpy, python3-matplotlib
Section: science
Priority: optional
Description: trajectory optimization through contact
 saltus computes motions of mechanisms that touch the world, from a model (MJCF)
 and a description of the task. It also identifies parameters of a mechanism
 from recorded motion, and follows the recorded motion of people and robots.
 .
 This package holds the command, the shared library with its headers, the
 manual, examples and models.
END
}

version=$(sed -n 's/^Version: //p' "$build/meson-private/saltus.pc")
install_files
write_copyright
write_control "$version"
find "$tree" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --build --root-owner-group "$tree" "$output/saltus_${version}_$architecture.deb" >/dev/null
echo "$output/saltus_${version}_$architecture.deb"
