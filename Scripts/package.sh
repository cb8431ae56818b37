#!/usr/bin/env bash
# Makes the Debian package and the tarball of a release build, in dist/. The same build and the same commit make the same bytes.
# Usage: Scripts/package.sh BUILD_FOLDER
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."

sources=$PWD
build=$(cd "$1" && pwd)
version=$(sed -nE 's/.*current = "([^"]+)".*/\1/p' Sources/sous/Commands/VersionCommand.swift)
# The time of all files: that of the commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
architecture=$(uname -m)
case $architecture in x86_64) debian=amd64 ;; aarch64) debian=arm64 ;; *) debian=$architecture ;; esac

work=$sources/.build/package
rm -rf "$work"
mkdir -p "$work/sous-$version" dist

# -- Debian
cp -R packaging/debian "$work/sous-$version/debian"
cd "$work/sous-$version"
sed -i "s/^Architecture: amd64$/Architecture: $debian/" debian/control
cat >debian/changelog <<TEXT
sous ($version) unstable; urgency=medium

  * Version $version; CHANGELOG.md lists the changes.

 -- The Sous authors <sous@noreply.invalid>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
TEXT
{
  printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: sous\n\nFiles: *\n'
  printf 'Copyright: 2026 the Sous authors\nLicense: Apache-2.0\n'
  printf '\nFiles: usr/lib/sous/runtime/*\nCopyright: 2014-2026 Apple Inc. and the Swift project authors\n'
  printf 'License: Apache-2.0\n\nLicense: Apache-2.0\n'
  printf ' The text is in /usr/share/common-licenses/Apache-2.0. The Swift runtime has the Runtime Library\n'
  printf ' Exception too: https://swift.org/LICENSE.txt\n'
} >debian/copyright
BUILD=$build SOURCES=$sources LC_ALL=C.UTF-8 TZ=UTC DEB_BUILD_OPTIONS=nocheck \
  dpkg-buildpackage --build=binary --no-sign --no-check-builddeps >"$work/debian.log" 2>&1 || {
  tail -n 40 "$work/debian.log" >&2
  exit 1
}
cp "$work/sous_${version}_$debian.deb" "$sources/dist/"

# -- tarball: the same tree below a folder of its own, and a script that copies it
cd "$sources"
name=sous-$version-linux-$architecture
DESTDIR="$work/tree" Scripts/install.sh "$build" /usr/local
mkdir -p "$work/$name"
cp -R "$work/tree/usr/local" "$work/$name/files"
install -m 0755 packaging/install "$work/$name/install"
install -m 0644 README.md LICENSE CHANGELOG.md "$work/$name/"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -C "$work" -c "$name" |
  xz -6 -T1 >"dist/$name.tar.xz"

cd dist
sha256sum "sous_${version}_$debian.deb" "$name.tar.xz" | tee SHA256SUMS
for file in "sous_${version}_$debian.deb" "$name.tar.xz"; do
  echo "$file: $(($(stat -c %s "$file") / 1000000)) MB"
done
echo "installed: $(($(du -sb "$work/$name/files" | cut -f1) / 1000000)) MB"
