require ["fileinto", "imap4flags"];
if size :over 14K { setflag "\\Flagged"; fileinto "Large"; }
elsif allof (size :over 400, not size :over 430) { fileinto "Band"; }
elsif size :under 380 { addflag ["$Small", "\\Seen"]; keep; }
