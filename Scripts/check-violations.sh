#!/usr/bin/env bash
# Plants a violation of each check into a copy of the sources and makes sure that the check refuses it.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
# The checks with the files in which something is planted; that they take all others is what the other checks show.
mkdir "$copy/examples"
cp -r --parents Package.swift Scripts .swift-format "$copy"
grep -oE '^expect_refusal [a-z]+ [^ ]+' "$0" | cut -d ' ' -f 3 | sort -u | xargs cp --parents -t "$copy"

# expect_refusal CHECK FILE TEXT: with TEXT at the end of FILE the check must fail.
expect_refusal() {
  local check=$1 file=$copy/$2 text=$3
  cp "$file" "$copy/original"
  printf '%b' "$text" >>"$file"
  if (cd "$copy" && Scripts/check.sh "$check") >/dev/null 2>&1; then
    echo "error: the check '$check' takes this in $2: $text" >&2
    exit 1
  fi
  cp "$copy/original" "$file"
}

# Without what is planted they must pass.
if ! (cd "$copy" && Scripts/check.sh format imports source) >"$copy/output" 2>&1; then
  cat "$copy/output" >&2
  echo "error: the checks refuse the sources as they are" >&2
  exit 1
fi

expect_refusal format Sources/Localization/Language.swift 'func  crooked( ) { }\n'
expect_refusal imports Sources/Expressions/Values/Value.swift 'import Recipes\n'
expect_refusal imports Sources/Engine/Run/RunMachine.swift 'public import PluginHost\n'
expect_refusal imports Sources/Mail/MailError.swift '@preconcurrency import Engine\n'
expect_refusal imports Tests/Simulation/World.swift 'import PluginHost\n'
expect_refusal imports plugins/extractive/ExtractivePlugin.swift '@testable import Engine\n'
expect_refusal imports Sources/Mail/MailError.swift '@_spi(Testing) import Engine\n'
expect_refusal source Sources/Mail/MailError.swift 'func trap() { fatalError("") }\n'
expect_refusal source Sources/Mail/MailError.swift '// „Anbieter“\n'
expect_refusal source plugins/maildir/MaildirPlugin.swift 'let value = try! Maildir(path: "")\n'
