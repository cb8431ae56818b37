require ["fileinto", "date", "relational"];
if date :originalzone :value "ge" "date" "hour" "20" { fileinto "Evening"; }
elsif date :originalzone "date" "date" ["2026-01-01", "2026-03-01"] { fileinto "Days"; }
elsif date :originalzone :is "date" "weekday" "1" { fileinto "Monday"; }
