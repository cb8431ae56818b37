#!/usr/bin/env bash
# Installs the peers of the durable engine and of questions to models into FOLDER; does nothing where they are there. What cannot be had is left out.
# Usage: Benchmarks/peers/install.sh FOLDER [mail]     mail: those of the mail benchmark, from the system's packages
set -uo pipefail

folder=$1
if [ "${2:-}" = mail ]; then
  /usr/bin/python3 -c 'import gi; gi.require_version("GMime", "3.0")' 2>/dev/null \
    || "$(dirname "$0")/../../Scripts/install-packages.sh" gir1.2-gmime-3.0 python3-gi || true
  exit 0
fi
# This release of Prefect does not start with the newest FastAPI.
packages=('huey==3.5.4' 'luigi==3.8.1' 'prefect==3.8.8 fastapi==0.139.0' 'llm==0.36')
mark=$folder/installed
if [ -f "$mark" ] && [ "$(cat "$mark")" = "${packages[*]}" ]; then exit 0; fi
python3 -m venv "$folder" || exit 0
for package in "${packages[@]}"; do
  # shellcheck disable=SC2086 # Several packages in one text.
  timeout 300 "$folder/bin/pip" install --quiet --disable-pip-version-check $package </dev/null || exit 0
done
echo "${packages[*]}" >"$mark"
