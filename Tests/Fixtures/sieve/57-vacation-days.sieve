require ["vacation", "fileinto"];
if header :contains "subject" "urgent" {
  vacation :days 1 :handle "urgent" :subject "Away {{ for now }}" :addresses ["team@work.example", "me+lists@example.com"]
    text:
Bitte rufen Sie an.
..
{{ nicht ersetzt }}
.
;
} elsif not header :contains "precedence" "bulk" {
  vacation :days 30 "I am away.";
  if address :domain "from" "example.com" { fileinto "Friends"; }
}
