require ["fileinto", "variables"];
set "word" "Zubehör";
if header :matches "subject" "rechnung für *${word}" {
  fileinto "Rechnungen/Zubehör";
} elsif header :contains "From" "JüRG mü" {
  fileinto "Jürg";
} elsif header :matches ["From", "Subject"] ["*M?ller*", "*(cron*"] {
  fileinto "Andere";
}
