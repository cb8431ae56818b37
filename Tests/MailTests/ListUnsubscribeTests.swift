import Testing

@testable import Mail

struct ListUnsubscribeTests {
  private func read(_ fields: String) -> Message { Message(parsing: Array((fields + "\n\nx").utf8)) }

  @Test(arguments: [
    (
      "List-Unsubscribe: <https://example.org/u?a=1,2>, <mailto:leave@example.org?subject=unsubscribe>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click",
      ListUnsubscribe(
        http: ["https://example.org/u?a=1,2"], mailto: ["mailto:leave@example.org?subject=unsubscribe"],
        isOneClick: true)
    ),
    // One click needs https (RFC 8058 §3.1).
    (
      "List-Unsubscribe: <http://example.org/u>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click",
      ListUnsubscribe(http: ["http://example.org/u"])
    ),
    (
      "List-Unsubscribe: <HTTP://a.example>, <https://b.example>",
      ListUnsubscribe(http: ["https://b.example", "HTTP://a.example"])
    ),
    ("List-Unsubscribe: (use this) <mailto:l@example.org>", ListUnsubscribe(mailto: ["mailto:l@example.org"])),
    ("List-Unsubscribe: <https://example.org/\n long/path>", ListUnsubscribe(http: ["https://example.org/long/path"])),
    (
      "List-Unsubscribe: https://example.org/u, mailto:l@example.org",
      ListUnsubscribe(http: ["https://example.org/u"], mailto: ["mailto:l@example.org"])
    ),
    ("List-Unsubscribe: <https://example.org/u", ListUnsubscribe(http: ["https://example.org/u"])),
  ])
  func waysOutAreRead(fields: String, expected: ListUnsubscribe) {
    #expect(read(fields).listUnsubscribe == expected)
  }

  @Test(arguments: [
    "Subject: x", "List-Unsubscribe: NO", "List-Unsubscribe: <javascript:alert(1)>", "List-Unsubscribe: <mailto:>",
    "List-Unsubscribe: <file:///etc/passwd>",
  ])
  func whatIsNoWayOutIsNone(fields: String) {
    #expect(read(fields).listUnsubscribe == nil)
  }

  @Test func mailtoIsTakenApart() throws {
    let uri = try #require(
      MailtoURI(
        "mailto:a@example.org,b%2Bc@example.org?cc=d@example.org&subject=Leave%20%C3%BC%0D%0AX&body=one%0D%0Atwo&attach=/etc/passwd"
      ))
    #expect(uri.to.map(\.address) == ["a@example.org", "b+c@example.org"])
    #expect(uri.cc.map(\.address) == ["d@example.org"])
    #expect(uri.subject == "Leave ü X")
    #expect(uri.body == "one\ntwo")
    #expect(MailtoURI("https://example.org") == nil)
  }

  @Test func listAddressIsRead() {
    #expect(
      read("List-Post: <mailto:growers@lists.example.org> (members)").listPost?.address == "growers@lists.example.org")
    #expect(read("List-Post: NO (closed)").listPost == nil)
  }
}
