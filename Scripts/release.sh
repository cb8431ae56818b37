#!/usr/bin/env bash
# Tags a release and leaves its packages in dist/. The version is that of Sources/sous/Commands/VersionCommand.swift; the changes are in
# CHANGELOG.md under a heading of that version. Pushes nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -nE 's/.*current = "([^"]+)".*/\1/p' Sources/sous/Commands/VersionCommand.swift)
fail() {
  echo "error: $1" >&2
  exit 1
}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || fail "'$version' is not a semantic version"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || fail "the tag v$version exists; raise the version first"
grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md ||
  fail "CHANGELOG.md has no heading '## [$version] - $(date -u +%F)': move the entries of [Unreleased] below it"

make package
git tag -a "v$version" -m "Sous $version"
echo "Tagged v$version. To publish: git push origin v$version, and the files in dist/ with SHA256SUMS"
