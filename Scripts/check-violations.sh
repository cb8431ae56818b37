#!/usr/bin/env bash
# Plants a violation of each check into a copy of the sources and makes sure that the check refuses it.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp -d)
whole=$(mktemp -d)
trap 'rm -rf "$copy" "$whole"' EXIT
# The checks with the files in which something is planted; that they take all others is what the other checks show.
mkdir "$copy/examples"
cp -r --parents Package.swift Scripts .swift-format "$copy"
grep -oE '^expect_refusal [a-z]+ [^ ]+' "$0" | cut -d ' ' -f 3 | sort -u | xargs cp --parents -t "$copy"
# The checks of folders and of words count in all sources.
cp -r --parents Scripts Sources plugins "$whole"

# expect_refusal CHECK FILE TEXT: with TEXT at the end of FILE the check must fail.
expect_refusal() {
  local check=$1 root=$copy text=$3
  case $check in rooms | words) root=$whole ;; esac
  local file=$root/$2
  cp "$file" "$copy/original"
  printf '%b' "$text" >>"$file"
  if (cd "$root" && Scripts/check.sh "$check") >/dev/null 2>&1; then
    echo "error: the check '$check' takes this in $2: $text" >&2
    exit 1
  fi
  cp "$copy/original" "$file"
}

# Without what is planted they must pass.
if ! (cd "$copy" && Scripts/check.sh format source && cd "$whole" && Scripts/check.sh rooms) >"$copy/output" 2>&1; then
  cat "$copy/output" >&2
  echo "error: the checks refuse the sources as they are" >&2
  exit 1
fi

expect_refusal format Sources/Localization/Language.swift 'func  crooked( ) { }\n'
expect_refusal source Sources/Mail/MailError.swift 'func trap() { fatalError("") }\n'
expect_refusal source Sources/Mail/MailError.swift '// „Anbieter“\n'
expect_refusal source plugins/maildir/MaildirPlugin.swift 'let value = try! Maildir(path: "")\n'
# A second direction between two folders, a ring of three folders, an entry that no longer exists.
expect_refusal rooms Sources/Sieve/Syntax/SieveParser.swift 'extension ScriptWalker {}\n'
expect_refusal rooms Sources/Sieve/Syntax/SieveParser.swift 'extension SieveExport {}\n'
expect_refusal rooms Scripts/rooms.txt 'pair Sources/Sieve: Import, Syntax\n'
# A ring of more than three folders that is listed.
printf 'extension Connector {}\n' >>"$whole/Sources/Networking/Addresses/Host.swift"
(cd "$whole" && Scripts/rooms --list >Scripts/rooms.txt)
expect_refusal rooms Sources/Networking/Addresses/Host.swift ''
# One more of each turn of phrase than there are.
(cd "$whole" && Scripts/words --lower)
for text in 'What cannot be read stays.' 'It waits for somebody.' 'It stands in the file.' 'An error where there is none.' \
  'It tells the number.' 'It is no list.'; do
  expect_refusal words Sources/Mail/MailError.swift "/// $text\n"
done
expect_refusal words plugins/maildir/MaildirPlugin.swift 'let text = "nobody can read it"\n'
