require "fileinto";
if address :is ["to", "cc"] "team@work.example" { fileinto "Team"; }
elsif address :domain ["to", "cc"] "work.example" { fileinto "Work"; }
elsif not address :is "to" ["me@example.com", "me+lists@example.com"] { fileinto "Others"; }
