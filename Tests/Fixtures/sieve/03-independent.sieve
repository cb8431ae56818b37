require "fileinto";
if header :contains "subject" "invoice" { fileinto "Invoices"; }
if address :domain "from" "example.com" { fileinto "Example"; }
if exists "List-Id" { fileinto "Lists"; }
if header :contains "subject" "patches" { fileinto "Lists"; }
