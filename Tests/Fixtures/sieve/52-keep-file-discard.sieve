require ["fileinto", "copy"];
if header :contains "subject" "invoice" { keep; }
if address :domain "from" "shop.example" { discard; }
if header :contains "subject" "backup" { fileinto "Logs"; discard; }
if address :is "to" "sieve@lists.example.org" { fileinto :copy "Lists"; discard; keep; }
if header :contains "subject" "urgent" { fileinto "INBOX"; }
