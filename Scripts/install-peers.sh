#!/usr/bin/env bash
# Installs servers and libraries of others, which the tests of the plugins for language models and of signing in talk to,
# into .build/peers, and libraries that the tests of schedules compare with into .build/peers-time; does nothing where they
# are there. Without them those tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

time_packages=('croniter==7.0.0' 'python-dateutil==4.0.0' 'astral==3.2' 'tzdata==2026.6')
time_folder=.build/peers-time
if [ "$(cat "$time_folder/installed" 2>/dev/null)" != "${time_packages[*]}" ]; then
  echo "Installing ${time_packages[*]} (pip, into $time_folder)"
  if rm -rf "$time_folder" && python3 -m venv "$time_folder" &&
    "$time_folder/bin/pip" install --quiet --disable-pip-version-check "${time_packages[@]}"; then
    echo "${time_packages[*]}" >"$time_folder/installed"
  else
    echo "The libraries for schedules cannot be installed: tests against them are skipped." >&2
    [ -z "${CI:-}" ] || exit 1
  fi
fi

# A recogniser of speech that carries its English model.
speech_packages=('pocketsphinx==5.1.1')
speech_folder=.build/peers-speech
if [ "$(cat "$speech_folder/installed" 2>/dev/null)" != "${speech_packages[*]}" ]; then
  echo "Installing ${speech_packages[*]} (pip, into $speech_folder)"
  if rm -rf "$speech_folder" && python3 -m venv "$speech_folder" &&
    "$speech_folder/bin/pip" install --quiet --disable-pip-version-check "${speech_packages[@]}"; then
    echo "${speech_packages[*]}" >"$speech_folder/installed"
  else
    echo "The recogniser cannot be installed: tests of speech are skipped." >&2
    [ -z "${CI:-}" ] || exit 1
  fi
fi

packages=('litellm[proxy]==1.106.2' 'ollama==0.6.3' 'psutil==7.2.1' 'oidc-provider-mock==0.3.4')
# A service in front of LiteLLM that speaks as Ollama does. It imports its modules, which lie flat under names such as
# `config` and `utils`, from `src`: they get a folder of that name. What it needs is among the packages.
proxy='ollama-openai-proxy==0.7.0'
folder=.build/peers
mark=$folder/installed
if [ -f "$mark" ] && [ "$(cat "$mark")" = "${packages[*]} $proxy" ]; then exit 0; fi

echo "Installing ${packages[*]} $proxy (pip, into $folder)"
pip=("$folder/bin/pip" install --quiet --disable-pip-version-check)
if ! { rm -rf "$folder" && python3 -m venv "$folder" && "${pip[@]}" "${packages[@]}" &&
  "${pip[@]}" --no-deps --target "$folder/ollama-proxy/src" "$proxy"; }; then
  echo "The peers cannot be installed: tests against them are skipped." >&2
  [ -z "${CI:-}" ] || exit 1
  exit 0
fi
echo "${packages[*]} $proxy" >"$mark"
