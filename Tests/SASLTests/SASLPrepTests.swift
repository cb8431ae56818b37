import Testing

@testable import SASL

struct SASLPrepTests {
  /// RFC 4013, section 3, and what people type.
  @Test(arguments: [
    ("I\u{AD}X", "IX"), ("user", "user"), ("USER", "USER"), ("\u{AA}", "a"), ("\u{2168}", "IX"),
    ("a\u{A0}b", "a b"), ("Gru\u{308}ße", "Gr\u{FC}ße"), ("Grüße", "Grüße"), ("\u{627}\u{628}", "\u{627}\u{628}"),
    ("\u{627}1\u{628}", "\u{627}1\u{628}"),
  ])
  func textIsPrepared(_ text: String, _ expected: String) throws {
    let prepared = try #require(SASLPrep.prepared(text))
    // Not by ==, which takes composed and decomposed for the same.
    #expect(Array(prepared.utf8) == Array(expected.utf8))
  }

  @Test(arguments: [
    "", "\u{7}", "\u{627}\u{31}", "a\u{627}", "\u{E000}", "\u{FFFD}", "\u{202E}abc", "\u{AD}", "a\u{85}b",
  ])
  func unusableTextIsRefused(_ text: String) { #expect(SASLPrep.prepared(text) == nil) }
}
