require "fileinto";
if allof (not header :contains "subject" "re:", not address :domain "from" ["example.com", "work.example"],
          anyof (size :over 1K, exists ["X-Spam-Flag", "X-Spam-Score"])) {
  fileinto "Strange";
}
