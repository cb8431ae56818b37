require ["fileinto", "date", "relational", "comparator-i;ascii-numeric"];
if date :zone "-0500" :is "date" "year" "2025" { fileinto "Old"; }
elsif date :zone "+0000" :is "date" "month" "02" { fileinto "February"; }
elsif date :zone "+0200" :value "ge" "date" "time" "05:00:00" { fileinto "Later"; }
elsif date :zone "+0000" :value "gt" :comparator "i;ascii-numeric" "date" "day" "22" { fileinto "End"; }
