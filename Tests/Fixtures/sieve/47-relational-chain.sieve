require ["fileinto", "relational", "comparator-i;ascii-numeric"];
if header :value "ge" :comparator "i;ascii-numeric" "X-Spam-Score" ["10", "100"] {
  fileinto "High";
} elsif header :value "lt" :comparator "i;ascii-numeric" "X-Spam-Score" "6" {
  fileinto "Low";
} elsif not header :value "ne" :comparator "i;ascii-numeric" ["X-Spam-Score", "X-Priority"] "7" {
  fileinto "Seven or none";
} elsif header :is :comparator "i;ascii-numeric" "X-Priority" "01" {
  fileinto "First";
}
