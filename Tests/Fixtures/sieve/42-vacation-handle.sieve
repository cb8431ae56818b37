require ["vacation", "fileinto", "copy"];
if not anyof (exists "List-Id", header :contains "X-Spam-Flag" "YES") {
  vacation :days 30 :handle "summer" :addresses ["me@example.com", "owner@example.com"] :subject "Away" text:
I am away.
..dotted
.
  ;
}
if header :contains "subject" "re:" { fileinto :copy "Answers"; }
