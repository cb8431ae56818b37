import Testing

@testable import Mail

struct AddressTests {
  private func describe(_ text: String) -> [String] {
    Address.parseList(text).map { "\($0.name ?? "-")|\($0.address)" + ($0.group.map { "|\($0)" } ?? "") }
  }

  @Test(arguments: [
    ("a@example.org", ["-|a@example.org"]),
    ("Anna Berg <a@example.org>", ["Anna Berg|a@example.org"]),
    ("\"Berg, Anna\" <a@example.org>, b@example.org", ["Berg, Anna|a@example.org", "-|b@example.org"]),
    ("a@example.org (Anna Berg)", ["Anna Berg|a@example.org"]),
    ("Anna (from work) <a@example.org>", ["Anna|a@example.org"]),
    ("=?utf-8?q?J=C3=BCrgen?= =?utf-8?q?_Wei=C3=9F?= <j@example.org>", ["Jürgen Weiß|j@example.org"]),
    ("\"=?utf-8?q?J=C3=BCrgen?=\" <j@example.org>", ["Jürgen|j@example.org"]),
    ("=?utf-8?q?Doe,_John?= <j@example.org>", ["Doe, John|j@example.org"]),
    ("Doe, John <j@example.org>", ["Doe, John|j@example.org"]),
    (
      "Team: a@example.org, B <b@example.org>;, c@example.org",
      ["-|a@example.org|Team", "B|b@example.org|Team", "-|c@example.org"]
    ),
    ("undisclosed-recipients:;", []),
    ("<@relay.example,@other.example:a@example.org>", ["-|a@example.org"]),
    ("Anna <a@example.org", ["Anna|a@example.org"]),
    ("Anna <a@example.org, Ben <b@example.org>", ["Anna|a@example.org", "Ben|b@example.org"]),
    ("Anna Berg a@example.org", ["Anna Berg|a@example.org"]),
    ("a@example.org b@example.org", ["-|a@example.org", "-|b@example.org"]),
    ("a @ example . org", ["-|a@example.org"]),
    ("\"odd name\"@example.org", ["-|\"odd name\"@example.org"]),
    ("<\"odd name\"@example.org>", ["-|\"odd name\"@example.org"]),
    ("Anna <>", ["Anna|"]),
    ("mailto:a@example.org", ["-|mailto:a@example.org"]),
    ("anna@bücher.example", ["-|anna@bücher.example"]),
    ("<mailto:a@example.org>", ["-|a@example.org"]),
    (", ,; ,", []),
    ("", []),
    ("\"unclosed <a@example.org>, b@example.org", ["unclosed|a@example.org", "-|b@example.org"]),
    (#""a\"b\\c"@example.org, J <"a\"b"@example.org>"#, [#"-|"a\"b\\c"@example.org"#, #"J|"a\"b"@example.org"#]),
    ("((((", ["(((" + "|"]),
    // Comments are allowed around a domain and its dots (RFC 5322 §3.4.1). In other places they separate words.
    ("a@good.example(x)evil.example", ["a@good.example evil.example|"]),
    ("a@good.example (x) evil.example", ["evil.example|a@good.example"]),
    ("<a@good.example(x)evil.example>", ["x|"]),
    ("<a@good.example evil.example>", ["a@good.example evil.example|"]),
    ("A <a@good.example\r\n evil.example>, b@example.org", ["A|", "-|b@example.org"]),
    ("a @ good.example evil.example", ["a @ good.example evil.example|"]),
    ("<a(x)b@example.org>", ["x|"]), ("a(x)b@example.org", ["a b@example.org|"]),
    ("pete(his account)@silly.example", ["his account|pete@silly.example"]),
    ("a@(x)example(y).(z)org", ["x y z|a@example.org"]), ("A(x)B <a@example.org>", ["A B|a@example.org"]),
  ])
  func listIsRead(text: String, expected: [String]) {
    if text == "mailto:a@example.org" {
      // Without brackets `mailto:` reads as a group's name, which leaves the address whole.
      #expect(Address.parseList(text).map(\.address) == ["a@example.org"])
    } else {
      #expect(describe(text) == expected)
    }
  }

  @Test func addressIsTakenApart() {
    let address = Address(address: "\"a@b\"@Example.ORG")
    #expect(address.localPart == "\"a@b\"")
    #expect(address.domain == "example.org")
    #expect(Address(name: "A", address: "a@b.c").displayName == "A")
    #expect(Address(address: "a@b.c").displayName == "a@b.c")
    #expect(Address(parsing: "nobody") == nil)
  }

  @Test(arguments: [
    "Anna Berg <a@example.org>", "\"Berg, A.\" <a@example.org>", "a@example.org", "Jürgen <a@example.org>",
  ])
  func descriptionReadsAsTheSameAddress(text: String) throws {
    let address = try #require(Address(parsing: text))
    #expect(address.description == text)
  }
}
