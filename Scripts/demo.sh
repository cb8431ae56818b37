#!/usr/bin/env bash
# Runs the main job on the mailbox in examples/ and says how to look at it.
# Usage: Scripts/demo.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."

sous=$1/sous
shown=.build/release/sous
"$sous" run workflows/inbox-digest.yaml
cat <<TEXT

Look at the run:
  $shown show last          every step and attempt
  $shown logs last          what it logged
  sqlite3 .sous/sous.db 'SELECT * FROM run_summary'     (apt-get install sqlite3)
TEXT
