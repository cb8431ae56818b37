require ["fileinto", "comparator-i;octet"];
if header :comparator "i;octet" :is "subject" "Invoice 17" { fileinto "A"; }
elsif header :comparator "i;octet" :contains "subject" "URGENT" { fileinto "B"; }
elsif address :comparator "i;octet" :is "from" "boss@work.example" { fileinto "C"; }
elsif header :comparator "i;octet" :contains "x-spam-flag" "yes" { fileinto "D"; }
