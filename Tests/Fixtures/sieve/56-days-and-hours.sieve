require ["fileinto", "date", "relational"];
if date :zone "+0530" :value "ge" "date" "hour" ["23", "18"] { fileinto "Late"; }
elsif allof (date :zone "-0800" :is "date" "weekday" ["0", "6"], not currentdate :zone "+0000" :value "lt" "year" "2020") {
  fileinto "Weekend";
}
elsif date :zone "+0000" :value "lt" "date" "date" "2026-02-01" { fileinto "January"; }
elsif currentdate :zone "+0100" :is "month" ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"] {
  fileinto "Every month";
}
