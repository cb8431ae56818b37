require ["fileinto", "date", "relational"];
if date :zone "+0000" :value "ge" "date" "date" "2026-11-01" { fileinto "November"; }
elsif date :zone "+0000" :is "date" "weekday" ["0", "6"] { fileinto "Weekend"; }
elsif date :zone "+0100" :value "lt" "date" "hour" "09" { fileinto "Early"; }
