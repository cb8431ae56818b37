#!/usr/bin/env bash
# Everything that has to hold before a change is taken; people and CI run the same.
# Usage: Scripts/check.sh [format|rooms|words|source|docs|violations|test]...   (all of them without an argument)
set -euo pipefail
cd "$(dirname "$0")/.."

swift_folders=(Package.swift Sources plugins Tests examples)

check_format() {
  swift format lint --strict --parallel --recursive "${swift_folders[@]}"
}

# Folders of a module that use each other. Which module imports which is decided in Package.swift; the compiler refuses
# other imports (see check_test).
check_rooms() {
  Scripts/rooms
}

# Turns of phrase that a reader has to read twice; their number may only fall.
check_words() {
  Scripts/words
}

# Marks that have no place in the product's own code.
check_source() {
  local found
  found=$(grep -rnE 'fatalError\(|try!|[^a-z]as! |preconditionFailure\(|\b(TODO|FIXME)\b|print\("debug' \
    --include='*.swift' Sources plugins || true)
  if [ -n "$found" ]; then
    echo "$found" >&2
    echo "error: code that traps or waits to be finished (see CONTRIBUTING.md)" >&2
    return 1
  fi
  # One word for one thing in German texts, and names between the same quotes as in English.
  found=$(grep -rnE 'Anbieter|Effekt|„' --include='*.swift' Sources plugins | grep -vE '^plugins/extractive/(Text|Words|Signs)/' || true)
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
  # Pages that messages name: docs/NAME.md, sous docs NAME. One that exists in German too has the same name there.
  while IFS=: read -r file link; do
    [ -e "docs/${link#docs/}" ] || [ -e "docs/tasks/${link#docs/}" ] || { echo "$file: error: the page '$link' does not exist" >&2; bad=1; }
  done < <(
    grep -roE 'docs/[a-z-]+\.md' --include='*.swift' Sources plugins | sort -u
    grep -roE 'sous docs [a-z-]+' --include='*.swift' Sources plugins | sed -E 's/sous docs ([a-z-]+)/\1.md/' | sort -u
  )
  Scripts/installed-pages --check || bad=1
  return $bad
}

# The checks themselves: each must refuse a planted violation.
check_violations() {
  Scripts/check-violations.sh
}

# Compiles with warnings as failures of the check: the compiler's own switch would also hit the dependencies.
check_test() {
  local log status=0 peers
  mkdir -p .build/tests
  # Beside the build: it waits for the network most of the time.
  Scripts/install-peers.sh >.build/tests/peers.log 2>&1 &
  peers=$!
  log=$(mktemp)
  swift build --build-tests --explicit-target-dependency-import-check error 2>&1 | tee "$log" || status=$?
  if [ "$status" -eq 0 ] && grep -F ': warning:' "$log" | grep -F -e "$PWD/Sources/" -e "$PWD/plugins/" -e "$PWD/Tests/"; then
    echo "error: the build has warnings" >&2
    status=1
  fi
  rm -f "$log"
  echo "-- built, $SECONDS s since the beginning"
  wait "$peers" || status=$?
  cat .build/tests/peers.log
  [ "$status" -eq 0 ] || return "$status"
  # Within a group one test after the other: tests that all begin at once wait for each other longer than any of them
  # lasts. Most of those of the program wait for processes, so that as many groups as there are processors go side by
  # side; the longest come first.
  local hosts='PluginHostTests|NetworkingTests|SecretsTests|SimulationTests'
  local mail='IMAPPluginTests|MaildirPluginTests|SMTPPluginTests'
  run_groups \
    "program-2 --filter ^SousTests\\.[P-Z]" \
    "program-1 --filter ^SousTests\\.[A-O]" \
    "plugins --filter ^($hosts)\\." \
    "mail --filter ^($mail)\\." \
    "parts --skip ^(SousTests|$hosts|$mail)\\."
}

# run_groups "NAME ARGUMENT..."...: runs groups of tests that are built, as many at once as there are processors; keeps
# what a group prints in .build/tests/groups/NAME.log, and prints its time and, where any of it fails, what it says of that.
run_groups() {
  local waiting=("$@") pid ended=0 failed=0 begun=$SECONDS name words count
  local jobs tests
  jobs=$(nproc)
  tests=$(swift build --build-tests --explicit-target-dependency-import-check error --show-bin-path)
  tests=$(echo "$tests"/*PackageTests.xctest)
  declare -gA running=()
  trap 'kill "${!running[@]}" 2>/dev/null || true' EXIT
  rm -rf .build/tests/groups
  mkdir -p .build/tests/groups
  while [ "$ended" -lt $# ]; do
    while [ ${#waiting[@]} -gt 0 ] && [ ${#running[@]} -lt "$jobs" ]; do
      read -ra words <<<"${waiting[0]}"
      waiting=("${waiting[@]:1}")
      timeout -k 10 1800 "$tests" --testing-library swift-testing --no-parallel "${words[@]:1}" \
        >".build/tests/groups/${words[0]}.log" 2>&1 </dev/null &
      running[$!]=${words[0]}
    done
    sleep 1
    for pid in "${!running[@]}"; do
      kill -0 "$pid" 2>/dev/null && continue
      name=${running[$pid]}
      unset "running[$pid]"
      ended=$((ended + 1))
      [ ! -t 1 ] || printf '\r\033[K'
      if wait "$pid"; then tell_group "$name" 0 || failed=1; else tell_group "$name" $? || failed=1; fi
    done
    count=$(cat .build/tests/groups/*.log 2>/dev/null | grep -acE ' Test .* passed' || true)
    if [ -t 1 ]; then
      printf '\r%s tests passed ' "$count"
    elif (((SECONDS - begun) % 60 == 59)); then
      echo "   $count tests passed"
    fi
  done
  trap - EXIT
  echo "The slowest suites, in seconds:"
  sed -nE 's/^✔ Suite "?([A-Za-z0-9]+)"?.* passed after ([0-9]+\.[0-9])[0-9]* seconds.*/\2 \1/p' \
    .build/tests/groups/*.log | sort -rn | awk 'NR <= 12 { printf "  %6s  %s\n", $1, $2 }'
  # Once more at the very end, where nobody has to search.
  grep -ahE '^✘ (Test|Suite) .* (recorded an issue|failed after)' .build/tests/groups/*.log | grep -v '^✘ Suite' |
    cut -c1-400 >&2 || true
  return "$failed"
}

# tell_group NAME STATUS: what became of a group of tests.
tell_group() {
  local name=$1 status=$2 log=.build/tests/groups/$1.log
  if [ "$status" -eq 0 ]; then
    if grep -aqE 'Test run with [1-9]' "$log"; then
      echo "-- $name: $(grep -aoE 'Test run with [1-9].*' "$log") ($log)"
      return
    fi
    echo "error: no test of the group $name ran (see $log)" >&2
    return 1
  fi
  # A failure's own lines, and those that follow up to the next line of the runner.
  awk '/^(✔|◇|━|➜)/ { shown = 0 } /^✘/ { shown = 1 } shown' "$log" >&2
  grep -aE -m 1 -A 30 'Fatal error:|[Cc]rashed' "$log" >&2 || true
  echo "The end of $log:" >&2
  tail -n 15 "$log" >&2
  echo "error: tests of the group $name failed ($status)" >&2
  return 1
}

checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(format rooms words source docs violations test)
for check in "${checks[@]}"; do
  echo "== $check"
  "check_$check"
done
[ "$SECONDS" -lt 10 ] || echo "== done in $((SECONDS / 60)) min $((SECONDS % 60)) s"
