import Testing

@testable import Mail

struct EnrichedTextTests {
  @Test(arguments: [
    ("<bold>Now</bold> is\nthe time", "<b>Now</b> is the time", "Now is the time"),
    ("one\n\ntwo\n\n\nthree", "one<br>two<br><br>three", "one\ntwo\n\nthree"),
    ("a << b & c", "a &lt; b &amp; c", "a < b & c"),
    ("<color><param>red</param>Blood</color> is", "<span>Blood</span> is", "Blood is"),
    ("<excerpt>said</excerpt>\n\nreply", "<blockquote>said</blockquote><br>reply", "> said\n\nreply"),
    ("<unknown>x</unknown>", "x", "x"),
    ("<bold><italic>x</bold>y</italic>", "<b><i>x</i></b>y", "xy"),
    ("<nofill>a\n  b</nofill>", "<pre>a\n  b</pre>", "a\n  b"),
    ("<bold>open", "<b>open</b>", "open"),
  ])
  func enrichedTextBecomesHTMLAndText(source: String, html: String, text: String) {
    #expect(EnrichedText.html(source) == html)
    #expect(EnrichedText.text(source) == text)
  }

  @Test func partIsRead() {
    let source = "Content-Type: text/enriched; charset=iso-8859-1\n\n<bold>Gr=FC\u{DF}e</bold>"
    let message = Message(parsing: Array(source.utf8))
    #expect(message.textBody.hasPrefix("Gr") && !message.textBody.contains("bold"))
    #expect(message.htmlBody?.hasPrefix("<b>") == true && message.attachments.isEmpty)
  }

  @Test func betterAlternativeCounts() {
    func message(_ types: [String]) -> Message {
      let parts = types.map { "--b\nContent-Type: \($0)\n\n<bold>\($0)</bold>\n" }.joined()
      return Message(parsing: Array("Content-Type: multipart/alternative; boundary=b\n\n\(parts)--b--".utf8))
    }
    #expect(message(["text/plain", "text/enriched"]).htmlBody == "<b>text/enriched</b>")
    #expect(message(["text/plain", "text/enriched"]).textBody == "<bold>text/plain</bold>")
    #expect(message(["text/plain", "text/enriched", "text/html"]).htmlBody == "<bold>text/html</bold>")
    #expect(message(["text/enriched"]).textBody == "text/enriched")
  }
}
