#!/usr/bin/env bash
# Feeds mutated input to expressions, templates, JSON, YAML, recipes, what workers of plugins send, mail and responses of IMAP servers, each for an equal share of the time.
# Usage: Scripts/fuzz.sh [MINUTES] [TARGET]...
# An input that traps, takes over 10 seconds or over 1 GiB is a finding: it is kept, shown, and the exit status is 1.
# SEED repeats a run: SEED=17 Scripts/fuzz.sh 2 json
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=${1:-10}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(expression template json yaml recipe worker mail imap)
seed=${SEED:-$(($(date +%s) % 1000000))}
seconds=$((minutes * 60 / ${#targets[@]}))
[ "$seconds" -gt 0 ] || seconds=1

package=Tests/Fuzz
swift build -c release --package-path "$package" --sanitize fuzzer >&2
fuzz=$(swift build -c release --package-path "$package" --sanitize fuzzer --show-bin-path)/Fuzz
# The runtime's own backtrace would keep the fuzzer from saving the input that trapped.
export SWIFT_BACKTRACE=enable=no
work=$PWD/$package/.build/fuzz
mkdir -p "$work/findings"

# The lines of the fenced blocks of a language in the documentation.
blocks() {
  awk -v mark="^\`\`\`$1\$" '$0 ~ mark { inside = 1; next } /^```/ { inside = 0 } inside' docs/*.md
}

# One file per line or block of standard input.
lines_to_files() {
  (cd "$1" && split -l 1 -a 4 - line.)
}

blocks_to_files() {
  awk -v mark="^\`\`\`$1\$" -v folder="$2" '
    $0 ~ mark { inside = 1; number++; file = folder "/block." number; next }
    /^```/ { if (inside) close(file); inside = 0 }
    inside { print > file }' docs/*.md
}

# Copies the files named on standard input, each under a name made of its whole path.
copy_files() {
  local file
  while IFS= read -r file; do cp "$file" "$1/${file//\//.}"; done
}

seeds() {
  local folder=$work/seeds/$1
  rm -rf "$folder"
  mkdir -p "$folder"
  case $1 in
    # Frames: opened; the answers to the calls 1 and 2; a request of the time.
    worker) printf '\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\13\0\0\0\4\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0{}\0\0\0\0 \0\0\0\1\0\0\0\0\0\0\0' >"$folder/frames" ;;
    expression) blocks cel | sed 's| *// => .*||' | lines_to_files "$folder" ;;
    template)
      blocks template | sed 's| *// => .*||' | lines_to_files "$folder"
      grep -ho '{{.*}}' workflows/*.yaml docs/recipes.md | (cd "$folder" && split -l 1 -a 4 - value.)
      ;;
    mail) find examples/mailbox -path '*/cur/*' -o -path '*/new/*' | copy_files "$folder" ;;
    # What a server says in a session: a greeting, a list, a search, messages with sections and structures, and ends of commands.
    imap)
      printf '* OK [CAPABILITY IMAP4rev1 ESEARCH] ready\r\ns1 OK in\r\n* LIST (\\HasNoChildren \\Sent) "/" "Ges&-endet"\r\n* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\ns2 OK [READ-ONLY] open\r\n' >"$folder/session"
      printf '* ESEARCH (TAG "s3") UID ALL 1:3,7\r\n* SEARCH 2 5 6 (MODSEQ 9)\r\n* VANISHED (EARLIER) 1:2\r\n* STATUS {5}\r\nINBOX (UIDNEXT 4 UIDVALIDITY 7)\r\ns1 OK [COPYUID 7 1:2 4:5] x\r\n' >"$folder/search"
      printf '* 2 FETCH (UID 2 FLAGS (\\Seen a) RFC822.SIZE 9 INTERNALDATE "17-Jul-1996 02:44:25 -0700" BODY[HEADER] {14}\r\nSubject: x\r\n\r\n BODY[1.2]<5> "xy")\r\n' >"$folder/fetch"
      printf '* 2 FETCH (BODYSTRUCTURE ((("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 9 1 NIL NIL NIL)("TEXT" "HTML" NIL NIL NIL "QUOTED-PRINTABLE" 9 1) "ALTERNATIVE" ("BOUNDARY" "x"))("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 9 (NIL) ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 1 1) 1) "MIXED") UID 2)\r\n' >"$folder/structure"
      ;;
    json)
      blocks_to_files json "$folder"
      find Tests/Fixtures examples Sources plugins -name '*.json' -size -64k | copy_files "$folder"
      printf '[1,-0,1e9,"\\u00e4\\ud83d\\ude00",{"a":null}]' >"$folder/small"
      ;;
    yaml | recipe)
      blocks_to_files yaml "$folder"
      find workflows Tests/Fixtures -name '*.yaml' | copy_files "$folder"
      cp sous.yaml "$folder/configuration"
      ;;
  esac
}

cat >"$work/words" <<'WORDS'
"{{"
"}}"
"&&"
"||"
"=="
"!="
"<="
" in "
".?"
"[?"
"?"
"optional.of("
"optional.none()"
".map("
".all(x, "
".exists("
".filter("
".sortBy("
".transformMap("
"cel.bind(x, "
"lists.range("
".format(["
".matches('"
".split("
".replace("
".substring("
".flatten("
".join("
"math.bitShiftLeft("
"duration('"
"timestamp('"
"dyn("
"type("
"9223372036854775807"
"-9223372036854775808"
"1e308"
"0x"
"b'\\xff'"
"'''"
"r\""
"\\u0000"
"\\ud800"
"name: "
"steps:"
"  - id: "
"uses: "
"with: "
"when: "
"for_each: "
"parallel: "
"retry: "
"keywords: "
"inputs: "
"output: "
"kind: "
"effect: "
"schedule: "
"- "
"*a"
"&a "
"<<: "
"!!"
"|-"
">+"
"\x09"
"\xef\xbb\xbf"
"\xff\xfe"
"{5}\x0d\x0a"
"\x0d\x0a* "
"FETCH (UID "
"BODYSTRUCTURE ("
"BODY[HEADER] "
"NIL "
WORDS

findings=0
summary=()
for target in "${targets[@]}"; do
  seeds "$target"
  mkdir -p "$work/corpus/$target"
  log=$work/$target.log
  status=0
  FUZZ_TARGET=$target "$fuzz" -seed="$seed" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=4096 \
    -dict="$work/words" -artifact_prefix="$work/findings/$target-" -print_final_stats=1 \
    "$work/corpus/$target" "$work/seeds/$target" >"$log" 2>&1 || status=$?
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
  speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log" | tail -1)
  memory=$(sed -n 's/^stat::peak_rss_mb: *//p' "$log" | tail -1)
  summary+=("$(printf '%-12s %12s %12s %8s' "$target" "${executed:-?}" "${speed:-?}" "${memory:-?}")")
  if [ "$status" -ne 0 ]; then
    findings=$((findings + 1))
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
    echo "finding in $target (seed $seed): $(grep -m1 -E 'ERROR: libFuzzer|Fatal error' "$log" || echo "status $status")"
    if [ -n "$input" ] && [ -f "$input" ]; then
      echo "  kept in $input; again: FUZZ_TARGET=$target $fuzz $input"
      echo "  base64: $(base64 -w0 "$input")"
      head -c 2000 "$input" | cat -v | sed 's/^/  | /'
      echo
    else
      tail -5 "$log" | sed 's/^/  /'
    fi
  fi
done
printf '%-12s %12s %12s %8s\n' "input" "executions" "per second" "MiB"
printf '%s\n' "${summary[@]}"
echo "seed $seed, $findings findings"
[ "$findings" -eq 0 ]
