#!/usr/bin/env bash
# Installs the Debian packages the build needs and that are missing; does nothing where none is.
# Usage: Scripts/install-packages.sh PACKAGE...
set -euo pipefail

missing=()
for package in "$@"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "Sous needs these packages: ${missing[*]}. Install them with your system's package manager." >&2
  exit 1
fi
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Sous needs these packages: ${missing[*]}. As root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  sudo=(sudo)
fi
echo "Installing ${missing[*]} (apt-get)"
# Servers that tests start by themselves on private ports: the system's own ones are not started by the installation.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' | "${sudo[@]}" tee "$policy" >/dev/null
  trap '"${sudo[@]}" rm -f "$policy"' EXIT
  "${sudo[@]}" chmod 755 "$policy"
fi
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
