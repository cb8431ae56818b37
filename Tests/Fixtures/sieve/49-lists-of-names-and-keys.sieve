require ["fileinto", "imap4flags"];
if header :contains ["Subject", "X-Tag", "From"] ["two", "lunch", "[sieve]", "Ü"] { addflag "$Found"; }
if header :is ["to", "cc", "bcc"] ["me@example.com", "ME@example.com, team@work.example"] {
  fileinto "Direct";
} elsif address :is :localpart ["to", "cc"] ["a", "cc", "sieve"] {
  fileinto "Team";
  stop;
}
if not header :contains "subject" ["a", "e", "i", "o", "u"] { fileinto "No vowel"; }
