#!/usr/bin/env bash
# Plants a violation of each check into a copy of the sources and makes sure that the check refuses it.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard -- Package.swift Sources plugins Tests examples Scripts .swift-format |
  xargs -0 -I{} sh -c '[ ! -f "$1" ] || cp --parents "$1" "$2"' _ {} "$copy"

# expect_refusal CHECK FILE TEXT: with TEXT at the end of FILE the check must fail, without it must pass.
expect_refusal() {
  local check=$1 file=$copy/$2 text=$3
  cp "$file" "$copy/original"
  printf '%b' "$text" >>"$file"
  if (cd "$copy" && Scripts/check.sh "$check") >/dev/null 2>&1; then
    echo "error: the check '$check' takes this in $2: $text" >&2
    exit 1
  fi
  cp "$copy/original" "$file"
  if ! (cd "$copy" && Scripts/check.sh "$check") >"$copy/output" 2>&1; then
    cat "$copy/output" >&2
    echo "error: the check '$check' refuses the sources as they are" >&2
    exit 1
  fi
}

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
