require ["fileinto"];
if not anyof (allof (header :contains "subject" "re:", not anyof (exists "List-Id", size :over 2K)),
              not allof (address :all :contains "from" "@", not not exists "date"),
              allof (false, true)) {
  if anyof (exists ["List-Id", "List-Post"], allof (not exists "List-Id", header :contains ["to", "cc"] "me@")) {
    fileinto "Deep";
  } else {
    fileinto "Else";
  }
}
