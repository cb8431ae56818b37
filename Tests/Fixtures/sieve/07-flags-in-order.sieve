require ["fileinto", "imap4flags", "copy"];
addflag "first";
fileinto :copy "Archive";
addflag "second";
removeflag "first";
if header :contains "subject" "invoice" { fileinto "Invoices"; }
