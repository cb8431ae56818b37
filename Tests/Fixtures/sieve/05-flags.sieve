require ["fileinto", "imap4flags"];
if header :contains "subject" "urgent" { addflag "\\Flagged"; }
if header :contains "X-Spam-Flag" "yes" { setflag ["\\Seen", "$Junk"]; fileinto "Junk"; }
if exists "List-Id" { addflag "\\Seen"; }
