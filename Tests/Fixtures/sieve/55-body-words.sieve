require ["fileinto", "body"];
if body :text :contains ["UNSUBSCRIBE", "no such word"] { fileinto "Lists"; }
elsif allof (body :contains :text "freitag", not body :text :contains "pay") { fileinto "Freitag"; }
elsif body :text :matches "*message longer*" { fileinto "Long"; }
