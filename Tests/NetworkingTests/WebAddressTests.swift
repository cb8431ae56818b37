import Testing

@testable import Networking

@Suite struct WebAddressTests {
  @Test(arguments: [
    ("http://example.com", "example.com:80", "/", "example.com"),
    ("https://example.com", "example.com:443", "/", "example.com"),
    ("HTTPS://EXAMPLE.com:443/a?b=c#d", "example.com:443", "/a?b=c", "example.com"),
    ("http://example.com:8080?q", "example.com:8080", "/?q", "example.com:8080"),
    ("http://example.com:/x", "example.com:80", "/x", "example.com"),
    ("http://example.com./x", "example.com:80", "/x", "example.com"),
    ("http://[::1]:8080/x", "[::1]:8080", "/x", "[::1]:8080"),
    ("http://[::ffff:10.0.0.1]/", "10.0.0.1:80", "/", "10.0.0.1"),
    ("http://0x7f.1/", "127.0.0.1:80", "/", "127.0.0.1"),
    ("http://bücher.example/ü b", "xn--bcher-kva.example:80", "/%C3%BC%20b", "xn--bcher-kva.example"),
    ("http://example.com/%2e%2e/%00?a=%20", "example.com:80", "/%2e%2e/%00?a=%20", "example.com"),
    ("https://example.com:00443/", "example.com:443", "/", "example.com"),
  ])
  func takesURLsApart(_ text: String, _ endpoint: String, _ target: String, _ authority: String) throws {
    let address = try WebAddress(parsing: text)
    #expect("\(address.endpoint)" == endpoint)
    #expect(address.target == target)
    #expect(address.authority == authority)
  }

  @Test(arguments: [
    "", "example.com", "//example.com", "ftp://example.com/", "file:///etc/passwd", "http:/example.com", "http://",
    "http:///path", "http://user@example.com/", "http://user:secret@example.com/", "http://a@b@c/",
    "http://example.com\\@evil.org/", "http://example.com:0/", "http://example.com:65536/", "http://example.com:+80/",
    "http://example.com:80a/", "http://exa\nmple.com/", "http://example.com/a\r\nX: y", "http://example.com/\0",
    "http://[::1/", "http://[::1]x/", "http://[127.0.0.1]/", "http://[fe80::1%25eth0]/", "http://%6c/", "http://a b/",
    "http+unix://socket/", "http://256.256.256.256/", "http://1.2.3.08/", "http://example.com:80:80/", "http://..",
  ])
  func refusesWhatCannotBeReadInOneWayOnly(_ text: String) {
    let error = #expect(throws: NetworkError.self) { try WebAddress(parsing: text) }
    #expect(error?.kind == .invalidInput)
  }

  @Test(arguments: [
    ("/x", "https://example.com/x"), ("x", "https://example.com/a/x"), ("../x", "https://example.com/x"),
    ("../../../x", "https://example.com/x"), ("./x/../y", "https://example.com/a/y"),
    ("?q=1", "https://example.com/a/b?q=1"),
    ("", "https://example.com/a/b?c=d"), ("#f", "https://example.com/a/b?c=d"),
    ("//other.org/y", "https://other.org/y"),
    ("http://other.org", "http://other.org/"), ("x?u=http://y", "https://example.com/a/x?u=http://y"),
    ("/a/b/..", "https://example.com/a/"), ("/a//b", "https://example.com/a//b"), (".", "https://example.com/a/"),
    ("HTTPS://example.com:443/z", "https://example.com/z"),
  ])
  func resolvesReferences(_ reference: String, _ expected: String) throws {
    let base = try WebAddress(parsing: "https://example.com/a/b?c=d")
    #expect(try base.resolving(reference) == WebAddress(parsing: expected))
  }

  @Test(arguments: ["ftp://example.com/", "javascript:alert(1)", "mailto:a@b", "http://user@example.com/", "data:,x"])
  func refusesReferencesThatLeadElsewhere(_ reference: String) throws {
    let base = try WebAddress(parsing: "https://example.com/a/b")
    #expect(throws: NetworkError.self) { try base.resolving(reference) }
  }
}
