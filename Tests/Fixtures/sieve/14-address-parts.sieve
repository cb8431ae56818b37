require "fileinto";
if address :localpart "from" ["ada", "juerg"] { fileinto "A"; }
elsif address :domain :contains "from" "shop" { fileinto "B"; }
elsif address :localpart :contains "from" "oss" { fileinto "C"; }
elsif address :domain :matches "from" "*.org" { fileinto "D"; }
elsif address :localpart :matches "from" "x?" { fileinto "E"; }
