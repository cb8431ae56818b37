require ["fileinto", "variables"];
set "base" "Lists";
set :lower "name" "SIEVE";
if header :contains "list-id" "${name}" { fileinto "${base}/${name}"; }
elsif header :contains "subject" "${missing}invoice" { fileinto "${Base}/Money"; }
