import Localization
import Testing

@testable import Networking

@Suite struct EgressPolicyTests {
  /// What a policy says about a host, and about the addresses that it may turn out to have.
  struct Case: Sendable, CustomTestStringConvertible {
    let declared: [String]
    let configured: [String]
    let host: String
    let port: Int
    let address: String?
    let isAllowed: Bool

    init(
      declared: [String] = [], configured: [String] = [], _ host: String, _ port: Int = 443, at address: String? = nil,
      allowed isAllowed: Bool
    ) {
      self.declared = declared
      self.configured = configured
      self.host = host
      self.port = port
      self.address = address
      self.isAllowed = isAllowed
    }

    var testDescription: String {
      "\(host):\(port)" + (address.map { " at \($0)" } ?? "") + " with \(declared) + \(configured)"
    }
  }

  @Test(arguments: [
    // Names.
    Case("api.example.com", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", allowed: true),
    Case(declared: ["api.example.com"], "API.Example.COM", allowed: true),
    Case(declared: ["API.example.com"], "api.example.com.", allowed: true),
    Case(declared: ["api.example.com"], "example.com", allowed: false),
    Case(declared: ["api.example.com"], "x.api.example.com", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com.evil.org", allowed: false),
    Case(declared: ["api.example.com"], "apiXexample.com", allowed: false),
    Case(declared: ["*.example.com"], "api.example.com", allowed: true),
    Case(declared: ["*.example.com"], "a.b.example.com", allowed: true),
    Case(declared: ["*.example.com"], "example.com", allowed: false),
    Case(declared: ["*.example.com"], "evilexample.com", allowed: false),
    Case(declared: ["*.example.com"], ".example.com", allowed: false),
    Case(declared: ["*"], "anything.example", allowed: true),
    Case(declared: ["bücher.example"], "xn--bcher-kva.example", allowed: true),
    Case(declared: ["xn--bcher-kva.example"], "BÜCHER.example", allowed: true),
    Case(declared: ["xn--bcher-kva.example"], "bucher.example", allowed: false),
    // Ports.
    Case(declared: ["api.example.com:8443"], "api.example.com", 8443, allowed: true),
    Case(declared: ["api.example.com:8443"], "api.example.com", 443, allowed: false),
    Case(declared: ["*.example.com:993"], "imap.example.com", 993, allowed: true),
    Case(declared: ["*.example.com:993"], "imap.example.com", 22, allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", 22, allowed: true),
    // Declared hosts stand at public addresses.
    Case(declared: ["api.example.com"], "api.example.com", at: "93.184.216.34", allowed: true),
    Case(declared: ["api.example.com"], "api.example.com", at: "2606:2800:220:1::1", allowed: true),
    Case(declared: ["api.example.com"], "api.example.com", at: "127.0.0.1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "10.0.0.1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "192.168.1.1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "172.31.255.255", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "172.32.0.1", allowed: true),
    Case(declared: ["api.example.com"], "api.example.com", at: "100.64.0.1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "169.254.169.254", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "0.0.0.0", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "255.255.255.255", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "224.0.0.1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "198.18.0.1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "::1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "::", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "fe80::1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "fd00::1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "fd00:ec2::254", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "ff02::1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "::ffff:127.0.0.1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "::ffff:93.184.216.34", allowed: true),
    Case(declared: ["api.example.com"], "api.example.com", at: "::127.0.0.1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "64:ff9b::7f00:1", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "64:ff9b::a9fe:a9fe", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "64:ff9b::5db8:d822", allowed: true),
    Case(declared: ["api.example.com"], "api.example.com", at: "64:ff9b:1::5db8:d822", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "2002:7f00:1::", allowed: false),
    Case(declared: ["api.example.com"], "api.example.com", at: "2001:0:7f00:1::", allowed: false),
    Case(declared: ["localhost"], "localhost", at: "127.0.0.1", allowed: false),
    // An address that is asked for is judged at once, however it is written.
    Case(declared: ["*"], "93.184.216.34", allowed: true),
    Case(declared: ["*"], "127.0.0.1", allowed: false),
    Case(declared: ["*"], "127.1", allowed: false),
    Case(declared: ["*"], "0177.0.0.1", allowed: false),
    Case(declared: ["*"], "0x7f.0.0.1", allowed: false),
    Case(declared: ["*"], "0x7F000001", allowed: false),
    Case(declared: ["*"], "2130706433", allowed: false),
    Case(declared: ["*"], "127.0.0.1.", allowed: false),
    Case(declared: ["*"], "0", allowed: false),
    Case(declared: ["*"], "0x", allowed: false),
    Case(declared: ["*"], "１２７.０.０.１", allowed: false),
    Case(declared: ["*"], "①②⑦.⓪.⓪.①", allowed: false),
    Case(declared: ["*"], "[::1]", allowed: false),
    Case(declared: ["*"], "::1", allowed: false),
    Case(declared: ["*"], "::ffff:7f00:1", allowed: false),
    Case(declared: ["*"], "fe80::1%eth0", allowed: false),
    Case(declared: ["*"], "2852039166", allowed: false),
    Case(declared: ["*"], "256.1.1.1", allowed: false),
    Case(declared: ["*"], "1.2.3.4.5", allowed: false),
    Case(declared: ["*"], "127.0.0.1\0.example.com", allowed: false),
    Case(declared: ["*"], "example.com\r\nX: y", allowed: false),
    Case(declared: ["*"], "user@example.com", allowed: false),
    Case(declared: ["*"], "exa mple.com", allowed: false),
    Case(declared: ["*"], "a..example.com", allowed: false),
    Case(declared: ["*"], "example.com..", allowed: false),
    Case(declared: ["*"], "", allowed: false),
    Case(declared: ["*"], "%31%32%37.0.0.1", allowed: false),
    Case(declared: ["127.0.0.1"], "127.0.0.1", allowed: false),
    // The user's own hosts.
    Case(configured: ["nas.local"], "nas.local", at: "192.168.1.5", allowed: true),
    Case(configured: ["nas.local"], "nas.local", at: "127.0.0.1", allowed: true),
    Case(configured: ["nas.local"], "nas.local", at: "fd00::5", allowed: true),
    Case(configured: ["nas.local"], "nas.local", at: "169.254.169.254", allowed: false),
    Case(configured: ["nas.local"], "nas.local", at: "fe80::5", allowed: false),
    Case(configured: ["nas.local"], "nas.local", at: "0.0.0.0", allowed: false),
    Case(configured: ["nas.local"], "nas.local", at: "100.100.100.200", allowed: false),
    Case(configured: ["*.lan"], "printer.lan", at: "10.1.1.1", allowed: true),
    Case(configured: ["127.0.0.1"], "127.0.0.1", allowed: true),
    Case(configured: ["127.0.0.1"], "0x7f.1", allowed: true),
    Case(configured: ["127.0.0.1"], "127.0.0.2", allowed: false),
    Case(configured: ["127.0.0.1"], "localhost", allowed: false),
    Case(configured: ["127.0.0.1:8080"], "127.0.0.1", 8081, allowed: false),
    Case(configured: ["::1"], "::1", allowed: true),
    Case(configured: ["[::1]:8080"], "::1", 8080, allowed: true),
    Case(configured: ["[::1]:8080"], "::1", 80, allowed: false),
    Case(configured: ["::ffff:127.0.0.1"], "127.0.0.1", allowed: true),
    Case(configured: ["169.254.169.254"], "169.254.169.254", allowed: true),
    Case(configured: ["169.254.169.254"], "metadata.example.com", allowed: false),
    Case(
      declared: ["metadata.example.com"], configured: ["169.254.169.254"], "metadata.example.com",
      at: "169.254.169.254", allowed: true),
    Case(configured: ["10.0.0.0/8"], "10.1.2.3", allowed: true),
    Case(configured: ["10.0.0.0/8"], "11.1.2.3", allowed: false),
    Case(configured: ["10.0.0.0/8"], "intranet.example.com", allowed: false),
    Case(
      declared: ["intranet.example.com"], configured: ["10.0.0.0/8"], "intranet.example.com", at: "10.1.2.3",
      allowed: true),
    Case(
      declared: ["intranet.example.com"], configured: ["10.0.0.0/8"], "intranet.example.com", at: "192.168.1.1",
      allowed: false),
    Case(configured: ["169.254.0.0/16"], "169.254.169.254", allowed: false),
    Case(configured: ["0.0.0.0/0"], "127.0.0.1", allowed: true),
    Case(configured: ["0.0.0.0/0"], "::1", allowed: false),
    Case(configured: ["fd00::/8"], "fd12::1", allowed: true),
    Case(configured: ["::/0"], "fe80::1", allowed: false),
    Case(configured: ["http://localhost:11434/v1"], "localhost", 11434, at: "127.0.0.1", allowed: true),
    Case(configured: ["http://localhost:11434/v1"], "localhost", 22, allowed: false),
    Case(configured: ["https://gw.example.com/v1?x=y"], "gw.example.com", 443, at: "10.0.0.1", allowed: true),
    Case(configured: ["https://gw.example.com/v1"], "gw.example.com", 80, allowed: false),
    Case(configured: ["https://[fd00::1]:8443/"], "fd00::1", 8443, allowed: true),
  ])
  func decides(_ example: Case) throws {
    let policy = try EgressPolicy(declared: example.declared, configured: example.configured)
    var isAllowed = true
    let address = try example.address.map { try #require(IPAddress($0)) }
    do throws(NetworkError) {
      let grant = try policy.grant(for: Endpoint(host: try Host(parsing: example.host), port: example.port))
      if let address { isAllowed = grant.permits(address) }
    } catch {
      #expect([.hostNotAllowed, .addressNotAllowed, .hostInvalid].contains(error.code))
      isAllowed = false
    }
    #expect(isAllowed == example.isAllowed)
  }

  @Test(arguments: [
    "", " ", "a b", "*.", "*.*.com", "a*.com", "host:0", "host:65536", "host:x", "host:", "10.0.0.0/33", "10.0.0.0/",
    "10.0.0.0/+8", "::/129", "::ffff:10.0.0.0/104", "[::1", "[::1]8080", "[example.com]", "http://",
    "http://user@host/",
    "ftp://host/", "http://host:99999/", "-a.example", "a-.example", "host/path",
  ])
  func refusesToGuessWhatARuleMeans(_ rule: String) {
    #expect(throws: NetworkError.self) { try EgressPolicy(declared: [], configured: [rule]) }
  }

  @Test(arguments: ["10.0.0.0/8", "http://example.com/"])
  func manifestNamesNeitherNetworksNorURLs(_ rule: String) {
    #expect(throws: NetworkError.self) { try EgressPolicy(declared: [rule], configured: []) }
  }

  @Test(arguments: ["example.com", "127.0.0.1", "::1"]) func offlineNobodyIsReached(_ host: String) throws {
    let endpoint = Endpoint(host: try Host(parsing: host), port: 443)
    do throws(NetworkError) {
      _ = try EgressPolicy.offline(provider: "mine").grant(for: endpoint)
      Issue.record("granted")
    } catch {
      #expect(error.code == .offline && error.kind == .unreachable)
    }
  }

  @Test func refusalNamesTheLineThatWouldAllowIt() throws {
    let policy = try EgressPolicy(declared: ["api.example.com"], configured: [], provider: "mine")
    let host = #expect(throws: NetworkError.self) {
      try policy.grant(for: Endpoint(host: .name("other.example.com"), port: 8443))
    }
    #expect(host?.kind == .auth)
    #expect(host?.message.english.contains("'mine'") == true)
    #expect(host?.advice?.english.hasSuffix(#"hosts: ["other.example.com:8443"]"#) == true)
    #expect(host?.advice?.german.hasSuffix(#"hosts: ["other.example.com:8443"]"#) == true)

    let grant = try policy.grant(for: Endpoint(host: .name("api.example.com"), port: 443))
    let own = grant.refusal(of: [.v4(0x0a00_0001)])
    #expect(own.code == .addressNotAllowed)
    #expect(own.advice?.english.hasSuffix(#"hosts: ["api.example.com"]"#) == true)
    // The name would not open it: the address itself has to stand there.
    let metadata = grant.refusal(of: [.v4(0xa9fe_a9fe)])
    #expect(metadata.advice?.english.hasSuffix(#"hosts: ["169.254.169.254"]"#) == true)
  }

  @Test(arguments: ["host.example", "127.0.0.1", "2606:2800::1", "169.254.169.254"], [80, 8443])
  func followingTheAdviceAllowsTheHost(_ host: String, _ port: Int) throws {
    let endpoint = Endpoint(host: try Host(parsing: host), port: port)
    let refusal = #expect(throws: NetworkError.self) {
      try EgressPolicy(declared: [], configured: []).grant(for: endpoint)
    }
    let advice = try #require(refusal?.advice?.english)
    let rule = advice.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
    #expect(throws: Never.self) { try EgressPolicy(declared: [], configured: [rule]).grant(for: endpoint) }
  }
}
