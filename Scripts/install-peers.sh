#!/usr/bin/env bash
# Installs servers and libraries of others, which the tests of the plugins for language models talk to, into .build/peers;
# does nothing where they are there. Without them those tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=('litellm[proxy]==1.106.2' 'ollama==0.6.3')
folder=.build/peers
mark=$folder/installed
if [ -f "$mark" ] && [ "$(cat "$mark")" = "${packages[*]}" ]; then exit 0; fi

echo "Installing ${packages[*]} (pip, into $folder)"
if ! { rm -rf "$folder" && python3 -m venv "$folder" &&
  "$folder/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"; }; then
  echo "The peers cannot be installed: tests against them are skipped." >&2
  [ -z "${CI:-}" ] || exit 1
  exit 0
fi
echo "${packages[*]}" >"$mark"
