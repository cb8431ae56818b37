require ["fileinto", "mailbox", "copy"];
if exists "List-Id" { fileinto :create "Lists/Sieve"; }
else { fileinto :copy :create "All"; }
