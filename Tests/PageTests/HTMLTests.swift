import Testing

@testable import Page

/// The builder of pages.
struct HTMLTests {
  @Test func textsAndAttributesAreEscaped() {
    let hostile = "<script>alert(\"1\")</script>&'\u{0}\u{7}"
    let markup = tag(.p, .id(hostile), .with(.title, hostile), text: hostile).markup
    let safe = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;\u{FFFD}\u{FFFD}"
    #expect(markup == "<p id=\"\(safe)\" title=\"\(safe)\">\(safe)</p>")
  }

  @Test func aTextThatBeginsWithALineEndKeepsIt() {
    #expect(tag(.textarea, text: "\nname: x").markup == "<textarea>\n\nname: x</textarea>")
  }

  @Test func elementsWithoutContentsHaveNoEnd() {
    #expect(tag(.input, .flag(.required)).markup == "<input required>")
    #expect(tag(.td).markup == "<td></td>")
  }

  @Test(arguments: [
    ("/runs?status=failed", "/runs?status=failed"), ("#main", "#main"), ("?step=a", "?step=a"),
    ("https://example.com/a", "https://example.com/a"), ("mailto:me@example.com", "mailto:me@example.com"),
    ("javascript:alert(1)", "#"), ("JavaScript:alert(1)", "#"), (" javascript:alert(1)", "#"),
    ("java\nscript:alert(1)", "#"),
    ("data:text/html,x", "#"), ("//evil.example", "#"), ("/\\evil.example", "#"), ("vbscript:x", "#"), ("", "#"),
    ("https://a b", "#"),
  ])
  func anAddressIsHarmless(address: String, expected: String) {
    #expect(tag(.a, .href(address), text: "x").markup == "<a href=\"\(expected)\">x</a>")
  }

  @Test(arguments: [
    (nil, "/"), ("/runs", "/runs"), ("/runs/x?step=a", "/runs/x?step=a"), ("//evil", "/"), ("/\\evil", "/"),
    ("/\t/evil", "/"),
    ("https://evil", "/"), ("javascript:alert(1)", "/"), ("", "/"), ("/sign-in", "/"), ("evil", "/"), ("/a\\b", "/"),
  ])
  func theSignInLeadsToThisServerOnly(next: String?, expected: String) {
    #expect(SignInPage.destination(next) == expected)
  }

  @Test func aPartOfAnAddressIsEscaped() {
    #expect(PageAddress.escaped("a b/ü?#%&") == "a%20b%2F%C3%BC%3F%23%25%26")
  }
}
