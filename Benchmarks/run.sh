#!/usr/bin/env bash
# Measures the release build, against public peers where there are some; prints tables of medians.
# Usage: Benchmarks/run.sh BUILD_FOLDER [RUNS] [PART]...   Parts: processes plugins network durable retention json mail models
# expressions serve http; all where none is named. Ends with status 1 where something is slower than it may be, compared to a peer in
# the same run, or holds more than it may.
set -euo pipefail
cd "$(dirname "$0")/.."

sous=$(realpath "$1")/sous
runs=${2:-21}
shift $(($# < 2 ? $# : 2))
parts=" ${*:-processes plugins network durable retention json mail models expressions serve http} "
wanted() { [[ $parts == *" $1 "* ]]; }
# The interpreter itself: `python3` may be a version manager's script, which takes longer than it.
python3=$(python3 -c 'import sys; print(sys.executable)')
# What misses a bound does not keep the parts after it from being measured.
status=0

swift build -c release --package-path Benchmarks >/dev/null
programs=$(swift build -c release --package-path Benchmarks --show-bin-path)
bench=$programs/ProcessBenchmark

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=$folder/cache XDG_DATA_HOME=$folder/data
cat >"$folder/one-step.yaml" <<'YAML'
name: one-step
steps:
  - id: greet
    uses: template
    with: { text: "Hello" }
YAML

if wanted processes; then
  printf 'providers: { home: { plugin: maildir, path: %s } }\ndefaults: { mail.store: home }\n' \
    "$PWD/examples/mailbox" >"$folder/sous.yaml"
  cat >"$folder/one-plugin-step.yaml" <<'YAML'
name: one-plugin-step
steps:
  - id: folders
    uses: mail.folders
YAML
  echo "Start-up: CPU time, time and memory of whole processes, medians of $runs runs"
  "$bench" "$runs" \
    "python3 -c pass" "$python3 -c pass" \
    "sous version <=1.5" "$sous version" \
    "sous run, one built-in step <=2.5" "$sous run --config $folder/sous.yaml $folder/one-step.yaml" \
    "sous run, one plugin step" "$sous run --config $folder/sous.yaml $folder/one-plugin-step.yaml" \
    "a Swift program, the date" "$programs/DateProgram" || status=1
fi

if wanted plugins; then
  include=plugins/PluginKit/Sources/CPluginABI/include
  # As many plugins as a number says, all configured; the first is called.
  install_plugins() {
    local place=$folder/$1 number
    mkdir -p "$place/plugins"
    printf 'plugins: { paths: [plugins] }\nproviders:\n' >"$place/sous.yaml"
    for number in $(seq -w 1 "$1"); do
      cc -shared -fPIC -O2 "-DID=\"p$number\"" -I "$include" -o "$place/plugins/libp$number.so" \
        Tests/Fixtures/plugins/echo.c
      printf '  n%s: { plugin: p%s, isolation: in-process }\n' "$number" "$number" >>"$place/sous.yaml"
    done
    printf 'name: echo\nsteps:\n  - { id: echo, uses: echo.echo, provider: n%s, with: { text: Hello } }\n' \
      "$(seq -w 1 "$1" | head -n 1)" >"$place/echo.yaml"
    # Tries all of them out, so that their manifests are known.
    "$sous" plugins list --config "$place/sous.yaml" >/dev/null
  }
  install_plugins 50
  install_plugins 2
  wanted processes && echo
  echo "Installed plugins, of which one is called: CPU time, time and memory of whole processes, medians of $runs runs"
  "$bench" "$runs" \
    "sous run, 50 plugins" "$sous run --config $folder/50/sous.yaml $folder/50/echo.yaml" \
    "sous run, 2 plugins" "$sous run --config $folder/2/sous.yaml $folder/2/echo.yaml"
  echo
  echo "Round trips of a small call, one after another, 7 rounds of 5000 calls"
  cc -shared -fPIC -O2 -I "$include" -o "$folder/libecho.so" Tests/Fixtures/plugins/echo.c
  "$programs/PluginBenchmark" "$sous" 7 5000 \
    "Swift plugin" "$programs/libecho.so" echo.echo "C plugin" "$folder/libecho.so" echo.echo || status=1
fi

if wanted network; then
  echo
  echo "First token of a model: milliseconds from the call to the first delta, beside curl's to the first byte, medians of"
  echo "$((runs * 20)) calls, one after another, to the same server on this machine; 'added' is the difference"
  "$python3" Benchmarks/Sources/NetworkBenchmark/first_token.py "$sous" "$programs/NetworkBenchmark" \
    "$(dirname "$sous")/libopenai.so" "$runs"
fi

if wanted durable; then
  # On the disk, which a folder for temporary files need not be; and in memory, where there is a folder for that.
  mkdir -p Benchmarks/.build
  disk=$(mktemp -d "$PWD/Benchmarks/.build/durable.XXXX")
  memory=$(mktemp -d /dev/shm/durable.XXXX 2>/dev/null || mktemp -d "$PWD/Benchmarks/.build/durable.XXXX")
  trap 'rm -rf "$folder" "$disk" "$memory"' EXIT
  printf 'name: loop\nsteps:\n  - id: each\n    uses: values\n    for_each: "{{ lists.range(100000) }}"\n%s\n' \
    '    with: { text: "Item {{ item }}" }' >"$disk/loop.yaml"
  Benchmarks/peers/install.sh Benchmarks/.build/peers >/dev/null 2>&1 || true
  peers=Benchmarks/.build/peers/bin/python
  if [ -x "$peers" ]; then
    cc -shared -fPIC -O2 -I Benchmarks/Sources/CSyncCost/include -o "$folder/libsynccost.so" \
      Benchmarks/Sources/CSyncCost/CSyncCost.c
    "$peers" Benchmarks/peers/durable.py "$disk" huey luigi prefect >"$disk/peers" || true
    LD_PRELOAD=$folder/libsynccost.so SYNC_COST_NANOSECONDS=2702703 \
      "$peers" Benchmarks/peers/durable.py "$memory" huey luigi prefect >"$memory/peers" || true
  fi
  echo
  echo "Durable steps, 5 rounds: medians where the disk swings, the best where only foreign load makes a difference"
  "$programs/DurableBenchmark" "$disk" 5 "$memory" "$sous" "$disk/peers" "$memory/peers" || status=1
fi

if wanted serve; then
  [[ $parts == " serve " ]] || echo
  echo "The daemon: 100 000 schedules and 10 recipes, seen from outside"
  "$python3" Benchmarks/Sources/ServeBenchmark/serve.py "$sous" "${SERVE_SCHEDULES:-100000}" || status=1
fi

if wanted http; then
  [[ $parts == " http " ]] || echo
  if command -v h2load >/dev/null; then
    "$python3" Benchmarks/Sources/HTTPBenchmark/list.py "$sous" "$programs/HTTPBenchmark" "${HTTP_SECONDS:-5}" || status=1
  else
    echo "The server: h2load is missing (apt-get install nghttp2-client)"
  fi
fi

if wanted retention; then
  [[ $parts == " retention "* ]] || echo
  echo "Retention: a run a minute for 30 days on a simulated clock, { age: 7d, runs: 10000, size: 64MB }"
  TMPDIR=$folder "$programs/RetentionBenchmark" "${RETENTION_DAYS:-30}" || status=1
  echo
  echo "A log of many runs: removed faster than written, 20 000 exported a second, the first search within 10 s"
  TMPDIR=$folder "$programs/RetentionBenchmark" bulk "${RETENTION_RUNS:-200000}" || status=1
fi

if wanted json; then
  [[ $parts == " json "* ]] || echo
  echo "JSON: read and written by the host, by the plugin kit and by Python's json, medians of $runs turns"
  "$programs/JSONBenchmark" "$runs" "$python3" Benchmarks/Sources/PythonPeer/peer.py || status=1
fi

if wanted mail; then
  [[ $parts == " mail "* ]] || echo
  # GMime is a package of the system and its interpreter.
  Benchmarks/peers/install.sh Benchmarks/.build/peers mail >/dev/null 2>&1 || true
  mail_python=/usr/bin/python3
  [ -x "$mail_python" ] || mail_python=$python3
  folders=("$PWD/examples/mailbox")
  [ -d ../shared/data/mail ] && folders+=("$(realpath ../shared/data/mail)")
  echo "Mail: messages taken apart and read, beside Python's email package and GMime called from Python, processor time, medians of $runs turns"
  "$programs/MailBenchmark" speed "$runs" "$mail_python" Benchmarks/peers/mail.py "${folders[@]}" || status=1
  "$programs/MailBenchmark" memory 100 20 || status=1
  if [ -x /usr/sbin/dovecot ]; then
    echo
    echo "IMAP: headers of 20 000 messages beside imaplib, which only fetches them, from one Dovecot, in turns"
    "$python3" Benchmarks/peers/imap.py "$programs/IMAPBenchmark" 20000 "$runs" || status=1
    echo
    echo "A mailbox of 20 000 messages: copied beside mbsync, filtered beside sieve-filter, watched, from one Dovecot"
    "$python3" Benchmarks/peers/mailbox.py "$sous" 20000 "$((runs < 3 ? runs : 3))" || status=1
  fi
  if [ -x /usr/sbin/smtp-source ]; then
    echo
    python3 Benchmarks/peers/smtp.py "$programs/SMTPBenchmark" || status=1
  fi
fi

if wanted models && [ -x .build/peers/bin/litellm ]; then
  [[ $parts == " models "* ]] || echo
  Benchmarks/peers/install.sh Benchmarks/.build/peers >/dev/null 2>&1 || true
  llm=()
  [ -x Benchmarks/.build/peers/bin/llm ] && llm=("$(realpath Benchmarks/.build/peers/bin/llm)")
  echo "Models: one question to a LiteLLM mock on this machine, beside curl and llm, medians of $runs runs"
  python3 Benchmarks/peers/models.py "$sous" "$(realpath .build/peers/bin/litellm)" "$runs" "${llm[@]}" || status=1
fi

wanted expressions || exit $status
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
echo "for a template it puts the text together by an expression."
"$programs/ExpressionBenchmark" "$runs" "$peer" Benchmarks/Sources/PythonPeer/peer.py || status=1
exit $status
