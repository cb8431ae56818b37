require ["fileinto", "regex"];
if not anyof (header :contains "subject" "a", not exists "X-Tag", size :over 5K) { fileinto "One"; }
elsif not allof (not header :regex "subject" "^(re|fwd?): ", anyof (true, false)) { fileinto "Answers"; }
elsif anyof (false, not not header :matches "subject" "*[*]*", header :regex "from" "@[a-z.]*\\.example>?$") {
  fileinto "Examples";
}
