require ["fileinto", "imap4flags"];
if exists "List-Id" { fileinto :flags "\\Seen list" "Lists"; stop; }
if header :contains "subject" "invoice" { keep :flags ["\\Flagged", "$Label1"]; }
