require ["fileinto"];
if header :is ["X-Spam-Flag", "X-Tag", "Precedence"] ["yes", "bulk", "list", "one"] { fileinto "Marked"; }
elsif address :localpart :is ["from", "to", "cc"] ["anna", "ada", "me"] { fileinto "Friends"; }
elsif header :matches ["subject", "from"] ["[*", "*\\**", "*inc*"] { fileinto "Odd"; }
