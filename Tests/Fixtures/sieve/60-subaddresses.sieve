require ["fileinto", "subaddress"];
if address :detail :contains ["to", "from"] "list" { fileinto "Detail"; }
elsif address :user :matches ["to", "cc"] "?e" { fileinto "Two letters"; }
elsif address :detail "from" "urgent" { fileinto "Urgent"; }
elsif address :all :contains "to" "team@" { fileinto "Team"; }
