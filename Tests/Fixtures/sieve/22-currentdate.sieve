require ["fileinto", "date", "relational"];
if currentdate :zone "+0000" :value "lt" "date" "2020-01-01" { fileinto "Past"; stop; }
if allof (currentdate :zone "+0000" :value "ge" "year" "2024", exists "List-Id") { fileinto "Now"; }
