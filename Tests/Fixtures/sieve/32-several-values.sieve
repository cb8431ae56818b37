require "fileinto";
if header :is "x-tag" "two" { fileinto "Two"; }
elsif not header :is ["x-tag", "x-priority"] ["one", "3"] { fileinto "None"; }
