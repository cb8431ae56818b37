#!/usr/bin/env bash
# Tries the daemon of an optimised build: the tests run code that is not optimised. Schedules are loaded while it runs, reminders
# and runs come, and it stops in order.
# Usage: Scripts/smoke.sh PROGRAM
set -euo pipefail

program=$(realpath "$1")
folder=$(mktemp -d)
daemon=
trap '[ -z "$daemon" ] || kill -KILL "$daemon" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
export NO_COLOR=1 LANG=C.UTF-8 XDG_CONFIG_HOME=$folder/config XDG_DATA_HOME=$folder/data
sous() { "$program" "$@"; }

# fail WHAT: what did not happen, with the end of what the daemon has said.
fail() {
  echo "error: $1; the daemon said:" >&2
  tail -n 40 daemon.log >&2
  exit 1
}

# expect TEXT COMMAND...: waits up to 30 s until the command prints the text; the daemon must live meanwhile.
expect() {
  local text=$1 output end=$((SECONDS + 30))
  shift
  while :; do
    output=$("$@" 2>&1) || true
    kill -0 "$daemon" 2>/dev/null || fail "the daemon ended before '$text'"
    ! grep -qF -- "$text" <<<"$output" || return 0
    [ "$SECONDS" -lt "$end" ] || fail "'$*' never printed '$text', but: $output"
    sleep 0.2
  done
}

mkdir recipes
printf 'recipes: [recipes]\n' >sous.yaml
cat >recipes/first.yaml <<'YAML'
name: first
on: { schedule: { every: 1h } }
steps:
  - { id: say, uses: log, with: { message: "due {{ event.at }}" } }
YAML
"$program" serve >daemon.log 2>&1 &
daemon=$!
expect first sous schedules

# Each of these ended a daemon whose code was optimised wrongly.
sed 's/first/second/' recipes/first.yaml >recipes/second.yaml
expect second sous schedules
sous remind "Bins out" --at "every Tuesday at 7" --yes >/dev/null
expect "Bins out" sous reminders
sous remind "Tea" --at "in 1 second" --yes >/dev/null
expect "Tea" sous notifications
rm recipes/second.yaml
sed -i 's/every: 1h/every: 1s/' recipes/first.yaml
expect "due 2" sous logs first
kill -TERM "$daemon"
code=0
wait "$daemon" || code=$?
daemon=
[ "$code" -eq 0 ] || fail "the daemon ended with code $code"
echo "The daemon of this build loads schedules while it runs, delivers and stops."
