#!/usr/bin/env bash
# Everything that has to hold before a change is taken; people and CI run the same.
# Usage: Scripts/check.sh [format|imports|source|docs|violations|test]...   (all of them without an argument)
set -euo pipefail
cd "$(dirname "$0")/.."

swift_folders=(Package.swift Sources plugins Tests examples)

check_format() {
  swift format lint --strict --parallel --recursive "${swift_folders[@]}"
}

# Which module may import which of ours; anything else turns the direction of the dependencies round.
allowed_imports() {
  case $1 in
    Localization) echo "" ;;
    Expressions) echo "Localization CRE2" ;;
    Recipes) echo "Localization Expressions CYAML" ;;
    Engine) echo "Localization Expressions Recipes" ;;
    PluginHost) echo "Localization Expressions Recipes Engine Network CPluginABI CIsolation" ;;
    PluginConformance) echo "Localization Expressions Recipes Engine PluginHost CMalloc" ;;
    Network) echo "Localization" ;;
    Secrets) echo "Localization COpenSSL CSecrets" ;;
    RunStore) echo "Localization Expressions Recipes Engine COpenSSL" ;;
    Mail) echo "Localization" ;;
    Builtins) echo "Localization Expressions Recipes Engine Mail Network CBuiltins" ;;
    RecipeTesting) echo "Localization Expressions Recipes Engine" ;;
    LanguageServer) echo "Localization Expressions Recipes" ;;
    sous) echo "Localization Expressions Recipes Engine PluginHost RunStore Builtins Mail RecipeTesting LanguageServer Secrets Network PluginConformance" ;;
    Simulation) echo "Localization Expressions Recipes Engine RunStore" ;;
    PluginKit) echo "CPluginABI" ;;
    PluginKitTesting) echo "PluginKit PluginRecording" ;;
    plugins) echo "PluginKit Mail ModelWire Localization" ;;
    *) echo "" ;;
  esac
}

ours="Localization Expressions Recipes Engine PluginHost RunStore Mail Builtins RecipeTesting LanguageServer Network Secrets PluginConformance CMalloc CIsolation CSecrets CBuiltins ModelWire PluginKit PluginKitTesting PluginRecording CPluginABI CYAML COpenSSL CRE2"

# What may stand before `import`: access levels and attributes.
modifiers='public|internal|package|private|fileprivate|@[A-Za-z_]+(\([^)]*\))?'

check_imports_of() {
  local name=$1 folder=$2 allowed bad=0
  allowed=" $(allowed_imports "$name") "
  while IFS=: read -r file line text; do
    local module
    module=$(sed -E 's/^.*import[[:space:]]+((struct|class|enum|protocol|func|var|typealias)[[:space:]]+)?([A-Za-z0-9_]+).*/\3/' <<<"$text")
    case " $ours " in *" $module "*) ;; *) continue ;; esac
    case $allowed in
      *" $module "*) ;;
      *)
        echo "$file:$line: error: $name may not import $module (docs/modules.md)" >&2
        bad=1
        ;;
    esac
  done < <(grep -rnE "^[[:space:]]*(($modifiers)[[:space:]]+)*import[[:space:]]" --include='*.swift' "$folder" || true)
  return $bad
}

check_imports() {
  local bad=0 folder
  for folder in Sources/*/; do
    check_imports_of "$(basename "$folder")" "$folder" || bad=1
  done
  check_imports_of Simulation Tests/Simulation || bad=1
  for folder in plugins/PluginKit/Sources/*/; do
    check_imports_of "$(basename "$folder")" "$folder" || bad=1
  done
  for folder in plugins/*/; do
    [ "$folder" = plugins/PluginKit/ ] || check_imports_of plugins "$folder" || bad=1
  done
  return $bad
}

# Marks that have no place in the product's own code.
check_source() {
  local found
  found=$(grep -rnE 'fatalError\(|try!|[^a-z]as! |preconditionFailure\(|TODO|FIXME|print\("debug' \
    --include='*.swift' Sources plugins || true)
  if [ -n "$found" ]; then
    echo "$found" >&2
    echo "error: code that traps or waits to be finished (see CONTRIBUTING.md)" >&2
    return 1
  fi
  # One word for one thing in German texts, and names between the same quotes as in English.
  found=$(grep -rnE 'Anbieter|Effekt|„' --include='*.swift' Sources plugins | grep -v '^plugins/extractive/Text/' || true)
  if [ -n "$found" ]; then
    echo "$found" >&2
    echo "error: German texts say Provider and Wirkung, and put names between ' and '" >&2
    return 1
  fi
  if git ls-files 2>/dev/null | grep -E '(^|/)(\.build|Package\.resolved)'; then
    echo "error: build products are committed" >&2
    return 1
  fi
}

# What the documents point at: relative links, and the targets of make.
check_docs() {
  local bad=0 file link target
  while read -r file; do
    while read -r link; do
      case $link in *:*) continue ;; esac
      [ -e "$(dirname "$file")/$link" ] || { echo "$file: error: the link '$link' leads nowhere" >&2; bad=1; }
    done < <(grep -oE '\]\([^)# ]+' "$file" | cut -c3-)
    while read -r target; do
      grep -qE "^$target:" Makefile || { echo "$file: error: there is no 'make $target'" >&2; bad=1; }
    done < <(grep -oE '(`|\$ )make [a-z-]+' "$file" | sed 's/.* //' | sort -u)
  done < <(git ls-files '*.md')
  return $bad
}

# The checks themselves: each must refuse a planted violation.
check_violations() {
  Scripts/check-violations.sh
}

# Compiles with warnings as failures of the check: the compiler's own switch would also hit the dependencies.
check_test() {
  local log status=0
  log=$(mktemp)
  swift build --build-tests --explicit-target-dependency-import-check error 2>&1 | tee "$log" || status=$?
  if [ "$status" -eq 0 ] && grep -F ': warning:' "$log" | grep -F -e "$PWD/Sources/" -e "$PWD/plugins/" -e "$PWD/Tests/"; then
    echo "error: the build has warnings" >&2
    status=1
  fi
  rm -f "$log"
  [ "$status" -eq 0 ] || return "$status"
  # One after the other: tests that all begin at once wait for each other longer than any of them lasts. Those that wait
  # for other programs, which hold Swift's few threads, are apart.
  local waiting='SousTests|SimulationTests|PluginHostTests|NetworkTests|SecretsTests'
  run_tests parts --no-parallel --skip "$waiting" || status=1
  run_tests plugins --no-parallel --filter '(PluginHostTests|NetworkTests|SecretsTests)' || status=1
  run_tests program --no-parallel --filter '^(SousTests|SimulationTests)' || status=1
  return "$status"
}

# run_tests NAME ARGUMENT...: runs tests that are built, keeps what they print in .build/tests/NAME.log, and prints
# their last line or, where any fails, what they say of it.
run_tests() {
  local name=$1 log=.build/tests/$1.log status=0 runner
  shift
  mkdir -p .build/tests
  echo "-- tests of the $name ($log)"
  timeout -k 10 1800 swift test --skip-build --explicit-target-dependency-import-check error "$@" >"$log" 2>&1 &
  runner=$!
  trap 'kill "$runner" 2>/dev/null || true' EXIT
  local begun=$SECONDS count
  while kill -0 "$runner" 2>/dev/null; do
    sleep 1
    count=$(grep -acE ' Test .* passed' "$log" || true)
    if [ -t 1 ]; then
      printf '\r%s tests passed ' "$count"
    elif (((SECONDS - begun) % 60 == 59)); then
      echo "   $count tests passed"
    fi
  done
  [ ! -t 1 ] || printf '\r\033[K'
  wait "$runner" || status=$?
  trap - EXIT
  if [ "$status" -eq 0 ]; then
    grep -aoE 'Test run with [1-9].*' "$log" && return 0
    echo "error: no test ran (see $log)" >&2
    return 1
  fi
  # A failure's own lines, and those that follow up to the next line of the runner.
  awk '/^(✔|◇|━|➜)/ { shown = 0 } /^✘/ { shown = 1 } shown' "$log" >&2
  grep -aE -m 1 -A 30 'Fatal error:|[Cc]rashed' "$log" >&2 || true
  echo "The end of $log:" >&2
  tail -n 15 "$log" >&2
  echo "error: tests of the $name failed ($status)" >&2
  return 1
}

checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(format imports source docs violations test)
for check in "${checks[@]}"; do
  echo "== $check"
  "check_$check"
done
