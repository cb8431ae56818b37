require ["fileinto", "imap4flags", "variables"];
if exists "List-Id" { setflag "\\Seen"; addflag ["list", "\\Flagged"]; removeflag "\\Seen"; }
if header :contains "subject" "invoice" { fileinto :flags ["\\Flagged", "money"] "Money"; }
elsif header :contains "subject" "re:" { addflag "answer"; }
