require "fileinto";
# rule:[Spam]
if header :contains "X-Spam-Flag" "yes" {
  fileinto "Junk";
}
# rule:[Lists]
elsif exists "List-Id" {
  fileinto "Lists";
}
elsif address :is :domain "from" "work.example" {
  fileinto "Work";
}
else {
  keep;
}
