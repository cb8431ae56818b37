require ["fileinto"];
if header :contains "subject" "invoice" { fileinto "Invoices"; }
if address :is "from" "ada@example.com" { keep; }
if size :over 4K { discard; }
if header :contains "subject" "re:" { fileinto "INBOX"; }
