#!/usr/bin/env bash
# Measures the release build against peers in the same run; prints tables of medians and ratios.
# Usage: Benchmarks/run.sh BUILD_FOLDER [RUNS]
set -euo pipefail
cd "$(dirname "$0")/.."

sous=$1/sous
runs=${2:-21}
swift build -c release --package-path Benchmarks >/dev/null
programs=$(swift build -c release --package-path Benchmarks --show-bin-path)
bench=$programs/ProcessBenchmark

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

echo
echo "First token of a model: milliseconds from the call to the first delta, beside curl's to the first byte, medians of"
echo "$((runs * 20)) calls, one after another, to the same server on this machine; 'added' is the difference"
python3 Benchmarks/Sources/NetworkBenchmark/first_token.py "$sous" "$programs/NetworkBenchmark" "$1/libopenai.so" "$runs"

# The peer lives beside the build; without pip, network or package the table says so.
python=Benchmarks/.build/peer/bin/python
if ! "$python" -c "import cel" 2>/dev/null; then
  { python3 -m venv Benchmarks/.build/peer && "$python" -m pip install --quiet common-expression-language; } \
    >/dev/null 2>&1 || true
fi
peer=
version="not installed"
if "$python" -c "import cel" 2>/dev/null; then
  peer=$python
  version=$("$python" -c "import importlib.metadata as m; print(m.version('common-expression-language'))")
fi
echo
echo "Expressions: compiled once, evaluated many times with the same variables, one thread, medians of $runs turns"
echo "The peer is the PyPI package common-expression-language $version, Rust called from Python, the call included;"
echo "for a template it puts the text together by an expression, for JSON (read and written) it is Python's json."
"$programs/ExpressionBenchmark" "$runs" "$peer" Benchmarks/Sources/ExpressionBenchmark/peer.py
