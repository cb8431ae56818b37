require ["copy", "fileinto"];
if header :contains "subject" "urgent" { redirect :copy "phone@example.net"; }
if header :contains "subject" "invoice" { redirect "books@example.net"; }
if exists "List-Id" { redirect "archive@example.net"; fileinto "Lists"; }
