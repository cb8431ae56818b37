require ["fileinto", "copy"];
if address :is "from" "ada@example.com" { fileinto :copy "Ada"; }
if header :contains "subject" "re:" { fileinto "Answers"; }
