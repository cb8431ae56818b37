require ["fileinto", "body"];
if body :text :contains "unsubscribe" { fileinto "Bulk"; }
elsif body :contains ["besten gr", "until Friday"] { fileinto "Letters"; }
