require ["fileinto", "subaddress"];
if address :detail "to" "lists" { fileinto "Detail"; }
elsif address :user "from" "boss" { fileinto "Boss"; }
elsif address :user :matches "to" "s*e" { fileinto "User"; }
elsif address :detail :contains ["to", "from"] "urg" { fileinto "Urgent"; }
