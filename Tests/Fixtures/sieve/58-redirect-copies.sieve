require ["copy", "fileinto"];
if header :contains "subject" "invoice" { redirect :copy "books@example.net"; }
if address :localpart "from" "boss" { redirect "mobile@example.net"; fileinto "Boss"; }
elsif exists "List-Id" { redirect "lists@example.net"; stop; }
if size :over 5K { redirect :copy "archive@example.net"; keep; }
