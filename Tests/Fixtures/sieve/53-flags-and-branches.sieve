require ["fileinto", "imap4flags"];
setflag ["\\Seen", "$Sorted"];
if header :contains "subject" "urgent" {
  setflag "\\Flagged";
} elsif exists "List-Id" {
  removeflag ["$Sorted", "\\Seen"];
  fileinto "Lists";
} elsif exists "X-Tag" {
  addflag "$Tagged $More";
  fileinto "Tags";
  removeflag "$Tagged";
}
