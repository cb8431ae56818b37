require ["fileinto", "date", "relational"];
if date :zone "-0930" :is "date" "weekday" "1" { fileinto "Monday"; }
elsif date :zone "+1400" :value "ge" "date" "time" "20:00:00" { fileinto "Late"; }
elsif date :zone "+0545" :is "date" "day" ["01", "15"] { fileinto "First"; }
elsif date :zone "+0000" :value "lt" "date" "year" "2026" { fileinto "Old"; }
