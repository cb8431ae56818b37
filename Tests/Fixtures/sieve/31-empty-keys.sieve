require "fileinto";
if header :is "subject" "" { fileinto "No subject"; }
elsif header :contains "x-tag" "" { fileinto "Tagged"; }
elsif header :matches "cc" "*" { fileinto "Copied"; }
