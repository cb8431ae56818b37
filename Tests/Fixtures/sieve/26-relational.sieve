require ["fileinto", "relational", "comparator-i;ascii-numeric"];
if header :value "ge" :comparator "i;ascii-numeric" "X-Spam-Score" "12" { fileinto "High"; }
elsif header :value "gt" :comparator "i;ascii-numeric" "X-Spam-Score" "5" { fileinto "Middle"; }
elsif header :value "eq" :comparator "i;ascii-numeric" "X-Spam-Score" "5" { fileinto "Five"; }
elsif header :count "ge" :comparator "i;ascii-numeric" "X-Tag" "2" { fileinto "Tags"; }
elsif address :count "gt" :comparator "i;ascii-numeric" ["to", "cc"] "1" { fileinto "Many"; }
