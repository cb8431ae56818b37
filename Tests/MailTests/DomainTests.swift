import Testing

@testable import Mail

struct DomainTests {
  /// Taken from the rules that https://publicsuffix.org/list/ explains.
  @Test(arguments: [
    ("example.com", "example.com"), ("a.b.example.com", "example.com"), ("mail.example.co.uk", "example.co.uk"),
    ("co.uk", nil), ("com", nil), ("", nil), ("192.0.2.1", nil), ("[192.0.2.1]", nil), ("Example.ORG", "example.org"),
    ("x.unknown-tld", "x.unknown-tld"), ("a.x.unknown-tld", "x.unknown-tld"), ("news.example.co.at", "example.co.at"),
  ])
  func registeredDomainIsFound(domain: String, expected: String?) {
    #expect(PublicSuffixes.system.registrableDomain(domain) == expected)
  }

  @Test func wildcardsAndExceptionsCount() {
    let list = PublicSuffixes(list: "// remark\n*.ck\n!www.ck\njp\n*.kawasaki.jp\n!city.kawasaki.jp\n")
    #expect(list.registrableDomain("b.test.ck") == "b.test.ck")
    #expect(list.registrableDomain("a.b.test.ck") == "b.test.ck")
    #expect(list.registrableDomain("test.ck") == nil)
    #expect(list.registrableDomain("x.www.ck") == "www.ck")
    #expect(list.registrableDomain("x.city.kawasaki.jp") == "city.kawasaki.jp")
    #expect(list.registrableDomain("a.b.c.kawasaki.jp") == "b.c.kawasaki.jp")
  }

  @Test func sameMailboxesHaveTheSameKey() {
    let registry = DomainRegistry.standard
    #expect(registry.key("John+promo@GoogleMail.com") == "john@gmail.com")
    #expect(registry.key("a+b@example.org") == "a+b@example.org")
    #expect(registry.key("x@vzw.com") == registry.key("X@verizon.com"))
    #expect(registry.key("+@gmail.com") == "+@gmail.com" && registry.key("nobody") == "nobody")
    #expect(registry.rootDomain("mail.vzw.com") == "verizon.com")
  }

  @Test func listsHoldAddressesAndDomains() {
    let registry = DomainRegistry.standard
    let list: Set<String> = ["Anna@gmail.com", "@example.org", "corp.example"]
    for address in ["anna+x@gmail.com", "x@example.org", "x@mail.example.org", "y@corp.example"] {
      #expect(registry.list(list, holds: Address(address: address)))
    }
    for address in ["ben@gmail.com", "x@notexample.org", ""] {
      #expect(!registry.list(list, holds: Address(address: address)))
    }
  }
}
