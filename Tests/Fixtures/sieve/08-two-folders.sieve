require "fileinto";
if address :contains "from" "shop" { fileinto "Shop"; fileinto "Money"; }
elsif header :contains "subject" "backup" { fileinto "Backup"; keep; }
