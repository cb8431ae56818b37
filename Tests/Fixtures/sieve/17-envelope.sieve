require ["fileinto", "envelope"];
if envelope "from" "ada@example.com" { fileinto "A"; }
elsif envelope :domain :is "from" "shop.example" { fileinto "B"; }
elsif envelope :localpart :contains "from" "boss" { fileinto "C"; }
elsif envelope :all :matches "from" "*@lists.*" { fileinto "D"; }
