#!/usr/bin/env bash
# Installs a release build below a prefix: the program, its plugins, the Swift runtime libraries they load, and the kit
# that `sous plugins new` copies into new plugins; units for systemd, and the page that tells how to use them.
# Usage: Scripts/install.sh BUILD_FOLDER PREFIX
set -euo pipefail

build=$1
prefix=$2
bin=${DESTDIR:-}$prefix/bin
plugins=${DESTDIR:-}$prefix/lib/sous/plugins
runtime=${DESTDIR:-}$prefix/lib/sous/runtime
kit=${DESTDIR:-}$prefix/share/sous/PluginKit

install -d "$bin" "$plugins" "$runtime"
install -m 0755 "$build/sous" "$bin/sous"
for plugin in maildir imap smtp extractive openai mistral ollama whisper piper ntfy webhook readeck pdf; do
  install -m 0755 "$build/lib$plugin.so" "$plugins/lib$plugin.so"
done

# What debuggers read is nearly half of the program.
if command -v strip >/dev/null; then strip --strip-debug "$bin/sous" "$plugins"/*.so; fi

# The Swift runtime of the toolchain has to come along; what the system provides has not.
ldd "$build/sous" "$plugins"/*.so | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  while read -r library; do
    case $(readlink -f "$library") in
      */lib/swift/*) install -m 0644 "$library" "$runtime/" ;;
    esac
  done

rm -rf "$kit"
install -d "$kit"
source=$(cd "$(dirname "$0")/../plugins/PluginKit" && pwd)
cp -R "$source/Package.swift" "$source/Sources" "$source/Templates" "$kit/"

root=$(cd "$(dirname "$0")/.." && pwd)
for scope in system user; do
  units=${DESTDIR:-}$prefix/lib/systemd/$scope
  install -d "$units"
  sed "s|@PREFIX@|$prefix|g" "$root/packaging/systemd/$scope/sous.service" >"$units/sous.service"
  chmod 0644 "$units/sous.service"
done
install -d "${DESTDIR:-}$prefix/share/doc/sous"
install -m 0644 "$root/docs/daemon.md" "${DESTDIR:-}$prefix/share/doc/sous/daemon.md"

echo "Installed sous in $bin, plugins and runtime in ${DESTDIR:-}$prefix/lib/sous"
"$bin/sous" version
