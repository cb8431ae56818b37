#!/usr/bin/env bash
# Measures the release build against peers in the same run; prints tables of medians and ratios.
# Usage: Benchmarks/run.sh BUILD_FOLDER [RUNS]
set -euo pipefail
cd "$(dirname "$0")/.."

sous=$1/sous
runs=${2:-21}
swift build -c release --package-path Benchmarks >/dev/null
bench=$(swift build -c release --package-path Benchmarks --show-bin-path)/ProcessBenchmark

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/one-step.yaml" <<'YAML'
name: one-step
steps:
  - id: greet
    uses: template
    with: { text: "Hello" }
YAML
printf 'providers: { home: { plugin: maildir, path: %s } }\ndefaults: { mail.store: home }\n' \
  "$PWD/examples/mailbox" >"$folder/sous.yaml"
cat >"$folder/one-plugin-step.yaml" <<'YAML'
name: one-plugin-step
steps:
  - id: folders
    uses: mail.folders
YAML

echo "Start-up: CPU time and memory of whole processes, medians of $runs runs"
"$bench" "$runs" \
  "sous version" "$sous version" \
  "sous run, one built-in step" "$sous run --config $folder/sous.yaml $folder/one-step.yaml" \
  "sous run, one plugin step" "$sous run --config $folder/sous.yaml $folder/one-plugin-step.yaml" \
  "python3 -c pass" "python3 -c pass"
