require ["fileinto", "envelope", "subaddress"];
if envelope :localpart :matches "from" "?o*" { fileinto "O"; }
elsif envelope :domain :contains "from" ["lists.", "spam"] { fileinto "Others"; }
elsif envelope :user "from" "boss" { fileinto "Boss"; }
elsif envelope :all :matches "from" "*@*.ch" { fileinto "Swiss"; }
elsif not envelope :is "from" "ada@example.com" { fileinto "Not Ada"; }
