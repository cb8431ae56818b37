#!/usr/bin/env bash
# Installs a release build below a prefix: the program, its plugins, the Swift runtime that the plugins load, and all that
# docs/packaging.md lists. The Debian package and the tarball are made from the same files.
# Usage: [DESTDIR=FOLDER] Scripts/install.sh BUILD_FOLDER PREFIX
set -euo pipefail
umask 022
# Texts of completions are English, whatever the builder speaks.
export LC_ALL=C.UTF-8 TZ=UTC
cd "$(dirname "$0")/.."

build=$1
prefix=$2
root=${DESTDIR:-}$prefix
plugins=(maildir imap smtp extractive openai mistral ollama whisper piper ntfy webhook readeck pdf)

# The folders that no file of a former version may be left in.
rm -rf "$root/lib/sous" "$root/share/sous"
install -d "$root/bin" "$root/lib/sous/plugins" "$root/lib/sous/runtime" "$root/share/sous"

# -- the program, its plugins, the runtime
install -m 0755 "$build/sous" "$root/bin/sous"
for plugin in "${plugins[@]}"; do
  install -m 0644 "$build/lib$plugin.so" "$root/lib/sous/plugins/lib$plugin.so"
done
# A release of the program carries the runtime; plugins share the libraries of the toolchain, which have to come along. The
# libraries of the system are left to the system.
used=("$root"/lib/sous/plugins/*.so)
path_of_program=
if ldd "$root/bin/sous" | grep libswiftCore >/dev/null; then
  used+=("$root/bin/sous")
  path_of_program='$ORIGIN/../lib/sous/runtime'
fi
ldd "${used[@]}" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  while read -r library; do
    case $(readlink -f "$library") in
      */lib/swift/*) install -m 0644 "$library" "$root/lib/sous/runtime/" ;;
    esac
  done
if [ -z "$path_of_program" ] && [ -e "$root/lib/sous/runtime/lib_FoundationICU.so" ]; then
  echo "error: a plugin imports Foundation and brings ICU a second time (40 MB): import FoundationEssentials" >&2
  exit 1
fi
# Symbols for debuggers are half of the program.
if command -v strip >/dev/null; then
  strip --strip-all "$root/bin/sous"
  strip --strip-unneeded "$root"/lib/sous/plugins/*.so "$root"/lib/sous/runtime/*.so
fi
# Paths of the machine that built it are of no use elsewhere.
if command -v patchelf >/dev/null; then
  if [ -n "$path_of_program" ]; then
    patchelf --set-rpath "$path_of_program" "$root/bin/sous"
  else
    patchelf --remove-rpath "$root/bin/sous"
  fi
  for plugin in "${plugins[@]}"; do
    patchelf --set-rpath '$ORIGIN/../runtime' "$root/lib/sous/plugins/lib$plugin.so"
  done
fi

# copied FROM... TO: files and folders of the sources, without what builds leave in them.
copied() {
  local target=${*: -1}
  install -d "$target"
  cp -R "${@:1:$#-1}" "$target/"
  find "$target" -name .build -prune -exec rm -rf {} +
  find "$target" -type d -exec chmod 0755 {} + -o -type f -exec chmod 0644 {} +
}

# -- the kit for plugins, templates, example mail
copied plugins/PluginKit/{Package.swift,Sources,Templates} "$root/share/sous/PluginKit"
install -d "$root/share/sous/templates"
install -m 0644 workflows/*.yaml "$root/share/sous/templates/"
copied workflows/de/*.yaml "$root/share/sous/templates/de"
copied examples/mailbox/* "$root/share/sous/mailbox"

# -- pages of documentation
Scripts/installed-pages "$root/share"

# -- man pages and completion, made from the program's own help
manuals=$(mktemp -d)
trap 'rm -rf "$manuals"' EXIT
for language in en de; do
  folder=$root/share/man/man1
  [ "$language" = en ] || folder=$root/share/man/$language/man1
  install -d "$folder" "$manuals/$language"
  "$build/sous" --lang "$language" --experimental-dump-help >"$manuals/$language.json"
  python3 Scripts/manuals "$manuals/$language.json" "$language" "$manuals/$language"
  gzip -9n "$manuals/$language"/*.1
  install -m 0644 "$manuals/$language"/*.1.gz "$folder/"
done
completion() {
  install -d "$(dirname "$root/$2")"
  # Shells read these files, and start none of them.
  "$build/sous" --generate-completion-script "$1" | sed '1{/^#!/d}' >"$root/$2"
  chmod 0644 "$root/$2"
}
completion bash share/bash-completion/completions/sous
completion fish share/fish/vendor_completions.d/sous.fish
# Debian's zsh looks into vendor-completions, every zsh below its own prefix into site-functions.
case $prefix in
  /usr) completion zsh share/zsh/vendor-completions/_sous ;;
  *) completion zsh share/zsh/site-functions/_sous ;;
esac

# -- units for systemd, AppArmor, editors
for scope in system user; do
  install -d "$root/lib/systemd/$scope"
  sed "s|@PREFIX@|$prefix|g" "packaging/systemd/$scope/sous.service" >"$root/lib/systemd/$scope/sous.service"
  chmod 0644 "$root/lib/systemd/$scope/sous.service"
done
install -d "$root/share/sous/apparmor" "$root/share/sous/editors" "$root/share/sous/grafana" "$root/share/sous/proxy" \
  "$root/share/sous/systemd"
install -m 0644 packaging/systemd/private.conf "$root/share/sous/systemd/private.conf"
sed "s|@PREFIX@|$prefix|g" packaging/apparmor/sous >"$root/share/sous/apparmor/sous"
chmod 0644 "$root/share/sous/apparmor/sous"
install -m 0644 packaging/grafana/sous.json "$root/share/sous/grafana/sous.json"
install -m 0644 packaging/proxy/nginx.conf packaging/proxy/Caddyfile "$root/share/sous/proxy/"
install -m 0644 packaging/editors/sous.lua "$root/share/sous/editors/sous.lua"
python3 Scripts/vsix packaging/editors/vscode "$root/share/sous/editors/sous.vsix" "$("$build/sous" version --json)"

if [ -z "${DESTDIR:-}" ]; then
  echo "Installed sous in $root/bin; plugins and runtime in $root/lib/sous"
  "$root/bin/sous" version
fi
