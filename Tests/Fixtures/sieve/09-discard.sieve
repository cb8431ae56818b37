require "fileinto";
if header :matches "subject" "*viagra*" { discard; stop; }
if anyof (header :contains "from" "spam", header :is "X-Spam-Flag" "YES") { discard; }
if exists "List-Id" { fileinto "Lists"; }
