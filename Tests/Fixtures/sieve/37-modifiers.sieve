require ["fileinto", "variables"];
set :upperfirst :lower "name" "MONEY";
set :length "digits" "12345";
set :quotewildcard "star" "a*b";
set :upper "shout" "re:";
if header :comparator "i;octet" :contains "subject" "${shout}" { fileinto "Shouted"; }
elsif header :matches "subject" ["${star}", "*invoice*"] { fileinto "${name}/${digits}"; }
elsif header :contains "subject" "re:" { fileinto "Answers"; }
