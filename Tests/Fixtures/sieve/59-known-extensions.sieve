require ["ihave", "fileinto", "variables", "mailbox"];
if ihave ["fileinto", "mailbox"] {
  set "root" "Lists";
  set :lower "own" "EXAMPLE.COM";
} else {
  discard;
}
if anyof (address :domain "to" "${own}", address :domain "cc" "${own}") { fileinto :create "${root}/Own"; stop; }
if string :matches "${root}/x" "Lists/?" { fileinto :create "${root}"; }
