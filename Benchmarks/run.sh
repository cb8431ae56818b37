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

# Plugins: round trips, and what many of them cost.
echo_plugin() {
  cc -O2 -shared -fPIC -DID="\"$1\"" -I plugins/PluginKit/Sources/CPluginABI/include -o "$folder/plugins$2/lib$1.so" \
    Tests/Fixtures/plugins/echo.c
}
many() {
  mkdir -p "$folder/plugins$1"
  printf 'plugins: { paths: [plugins%s] }\nproviders:\n  home: { plugin: maildir, path: %s }\n' "$1" \
    "$PWD/examples/mailbox" >"$folder/sous$1.yaml"
  for number in $(seq "$1"); do
    echo_plugin "echo$number" "$1"
    printf '  p%s: { plugin: echo%s }\n' "$number" "$number" >>"$folder/sous$1.yaml"
  done
  # The first run tries them out and keeps their manifests.
  "$sous" run --config "$folder/sous$1.yaml" "$folder/one-plugin-step.yaml" >/dev/null
}
mkdir -p "$folder/plugins"
echo_plugin echo ""
many 2
many 50
echo
echo "Calls of an action that answers its input, one after another"
"$programs/PluginBenchmark" "$sous" 10000 \
  "in-process, C" "$folder/plugins/libecho.so" echo.echo \
  "in-process, PluginKit" "$programs/libecho.so" echo.echo \
  "isolated, C" "$folder/plugins/libecho.so" echo.echo \
  "isolated, PluginKit" "$programs/libecho.so" echo.echo
echo
echo "Start-up with many plugins, each with a provider, of which a step names none"
"$bench" "$runs" \
  "sous run, 50 plugins" "$sous run --config $folder/sous50.yaml $folder/one-plugin-step.yaml" \
  "sous run, 2 plugins" "$sous run --config $folder/sous2.yaml $folder/one-plugin-step.yaml"

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
