REQUIRE "fileinto"; # comment
/* a block
   comment */
IF Header :Contains /* here */ ["SUBJECT"] ["RE:", "invoice"] { FileInto "Mixed"; STOP; }
ElsIf SIZE :UNDER 1K { keep; }
Else { fileinto "Large"; }
