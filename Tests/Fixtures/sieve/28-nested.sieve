require ["fileinto", "imap4flags"];
if address :domain "from" "work.example" {
  if header :contains "subject" "urgent" {
    addflag "\\Flagged";
    fileinto "Work/Urgent";
    stop;
  } elsif header :contains "subject" "backup" {
    addflag "\\Seen";
    if header :contains "subject" "failed" { fileinto "Work/Failed"; } else { fileinto "Work/Backup"; }
  } else {
    fileinto "Work";
  }
} elsif exists "List-Id" {
  fileinto "Lists";
}
if header :contains "from" "daemon" { fileinto "System"; }
