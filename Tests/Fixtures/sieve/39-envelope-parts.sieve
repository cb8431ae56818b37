require ["fileinto", "envelope"];
if envelope :domain :is "from" ["lists.example.org", "work.example"] { fileinto "Known"; }
elsif envelope :localpart :matches "from" ["*+*", "no*reply"] { fileinto "Special"; }
elsif not envelope :all :contains "from" ["ada", "x1@"] { fileinto "Others"; }
