#!/usr/bin/env bash
# Runs the main job on the mailbox in examples/ and says how to look at it.
# Usage: Scripts/demo.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."

sous=$1/sous
"$sous" run workflows/inbox-digest.yaml
cat <<TEXT

Look at the run:
  $sous show last          every step and attempt
  $sous logs last          what it logged
  sqlite3 .sous/sous.db 'SELECT * FROM run_summary'
TEXT
