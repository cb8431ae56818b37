require ["fileinto", "variables"];
set "folder" "";
if address :domain "from" "work.example" { set "folder" "Work"; }
elsif exists "List-Id" { set "folder" "Lists"; }
if string :is "${folder}" "" { keep; } else { fileinto "${folder}"; }
if header :contains "subject" "urgent" { fileinto "Urgent"; }
