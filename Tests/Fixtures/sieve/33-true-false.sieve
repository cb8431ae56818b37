require ["fileinto", "imap4flags"];
if false { discard; stop; }
if not true { fileinto "Never"; }
if true { addflag "new"; }
if allof (true, header :contains "subject" "lunch") { fileinto "Lunch"; }
