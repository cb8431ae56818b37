require ["fileinto"];
if header :is "Subject" "urgent: call me" { keep; stop; }
if header :contains "subject" ["invoice", "rechnung"] { fileinto "Invoices"; stop; }
if size :over 4K { fileinto "Large"; stop; }
