require ["fileinto", "regex"];
if header :regex "subject" "^(re|fwd): " { fileinto "Answers"; }
elsif header :regex "subject" "[[:digit:]]+$" { fileinto "Numbers"; }
elsif header :regex "from" "@(shop|spam)\\.example" { fileinto "Shops"; }
