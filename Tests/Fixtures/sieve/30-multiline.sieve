require ["fileinto", "vacation"];
/* A comment
   of two lines */
if not exists "List-Id" {
  vacation :days 30 :addresses "me@example.com" text:
Hello,

..I am away.
.
  ; # the end of the answer
}
if header :is "subject" "a\\b \"quoted\" {{ braces }}" { fileinto "Odd {{ name }}"; }
