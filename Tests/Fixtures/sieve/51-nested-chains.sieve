require ["fileinto"];
if exists "X-Spam-Score" {
  if header :contains "x-spam-flag" "yes" {
    if address :domain "from" "shop.example" { discard; stop; }
    elsif address :domain :is "from" ["example.com", "example.ch"] { fileinto "Doubtful"; }
    else { fileinto "Junk"; stop; }
  } elsif header :is "x-spam-score" ["7", "05"] {
    keep;
    stop;
  } else {
    if size :over 2K { fileinto "Scored/Large"; } else { fileinto "Scored/Small"; }
  }
  if address :localpart "from" "news" { fileinto "News"; }
} elsif anyof (exists ["Cc", "To"], exists "List-Id") {
  if allof (header :contains "to" "team", not header :is "subject" "") { fileinto "Team"; stop; }
  fileinto "Rest";
} else {
  discard;
}
