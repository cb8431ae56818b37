require "fileinto";
if header :matches "subject" "[*] *" { fileinto "Tagged"; stop; }
if header :matches "subject" ["In?oice *", "lunch\\?"] { fileinto "Short"; stop; }
if header :matches "subject" "*\\**" { fileinto "Star"; stop; }
if header :matches "subject" "a\\\\b*" { fileinto "Backslash"; stop; }
if header :matches "from" "*j?rg*" { fileinto "One"; stop; }
if header :matches "from" "*j??rg*" { fileinto "Two"; stop; }
