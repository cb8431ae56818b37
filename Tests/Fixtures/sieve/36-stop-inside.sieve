require ["fileinto", "copy"];
fileinto :copy "All";
if header :contains "subject" "invoice" {
  fileinto "Invoices";
  if size :over 4K { stop; }
}
if exists "List-Id" { fileinto "Lists"; stop; }
if address :domain "from" "work.example" { stop; }
if header :contains "subject" "backup" { discard; }
