require ["fileinto", "copy", "imap4flags"];
if exists "List-Id" {
  fileinto :copy "Archive";
  if header :contains "subject" "re:" { addflag "\\Flagged"; stop; }
  fileinto "Lists";
}
elsif address :domain "from" "work.example" { redirect :copy "second@example.com"; stop; }
if not exists "List-Id" { fileinto :copy "Rest"; addflag "\\Seen"; }
