#!/usr/bin/env bash
# Writes the reference files that come from the code: the JSON Schemas in docs/schema, and docs/api.md.
# Usage: Scripts/docs.sh [FOLDER WITH THE BUILT PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -gt 0 ]; then
  program=$1/sous
else
  swift build --product sous
  program=$(swift build --show-bin-path)/sous
fi

mkdir -p docs/schema
for file in recipe configuration preset test; do
  "$program" schema "$file" --lang en >"docs/schema/$file.json"
  echo "docs/schema/$file.json"
done
"$program" schema api.md --lang en >docs/api.md
echo "docs/api.md"
