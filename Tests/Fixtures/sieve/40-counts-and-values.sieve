require ["fileinto", "relational", "comparator-i;ascii-numeric"];
if header :count "eq" :comparator "i;ascii-numeric" "List-Id" "0" {
  if address :count "ge" :comparator "i;ascii-numeric" ["to", "cc"] ["2"] { fileinto "Group"; stop; }
  if header :count "ne" :comparator "i;ascii-numeric" ["X-Spam-Score", "X-Tag"] "0" { fileinto "Tagged"; stop; }
}
