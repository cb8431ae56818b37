require "fileinto";
if header :contains "subject" "invoice" { fileinto "Money"; }
if header :contains "subject" "re:" { fileinto "Answers"; }
if address :domain "from" "shop.example" { fileinto "Money"; }
if size :over 4K { fileinto "Answers"; }
