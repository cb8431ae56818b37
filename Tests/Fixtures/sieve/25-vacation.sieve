require ["vacation", "fileinto"];
if header :contains "subject" "lunch" {
  vacation :days 3 :addresses ["me@example.com"] :subject "Away" "I am away.
Until Monday.";
}
if exists "List-Id" { fileinto "Lists"; }
