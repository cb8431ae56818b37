/// One line of an ``EgressPolicy``.
struct EgressRule: Sendable, Hashable {
  /// The target of a rule.
  enum Target: Sendable, Hashable {
    /// Every host.
    case any
    /// This host.
    case host(Host)
    /// Every name below this one, not the name itself.
    case below(String)
    /// Every address in it.
    case network(IPNetwork)
  }

  let target: Target
  /// `nil`: every port.
  let port: Int?

  /// Reads a rule: a host, `*.example.com` or `*`, each with `:port` as wanted; IPv6 with a port in brackets.
  init(parsing text: String) throws(NetworkError) {
    var rest = Substring(text)
    if rest.hasPrefix("[") {
      let (host, port) = try Self.splitBracketed(rest)
      self.init(target: .host(host), port: port)
      return
    }
    var port: Int?
    if let colon = rest.firstIndex(of: ":"), rest.lastIndex(of: ":") == colon {
      port = try Self.readPort(rest[rest.index(after: colon)...], of: text)
      rest = rest[..<colon]
    }
    if rest == "*" {
      self.init(target: .any, port: port)
    } else if rest.hasPrefix("*.") {
      guard case .name(let name) = try Host(parsing: rest.dropFirst(2)) else { throw NetworkError(host: text) }
      self.init(target: .below(name), port: port)
    } else {
      self.init(target: .host(try Host(parsing: rest)), port: port)
    }
  }

  /// Reads a rule of the configuration, which may also be a network or a URL.
  init(parsingConfigured text: String) throws(NetworkError) {
    if text.contains("://") {
      let address = try WebAddress(parsing: text)
      self.init(target: .host(address.endpoint.host), port: address.endpoint.port)
    } else if text.contains("/") {
      guard let network = IPNetwork(text) else { throw NetworkError(host: text) }
      self.init(target: .network(network), port: nil)
    } else {
      try self.init(parsing: text)
    }
  }

  private init(target: Target, port: Int?) {
    self.target = target
    self.port = port
  }

  private static func splitBracketed(_ text: Substring) throws(NetworkError) -> (Host, Int?) {
    guard let end = text.firstIndex(of: "]") else { throw NetworkError(host: text) }
    let inside = text[text.index(after: text.startIndex)..<end]
    guard inside.contains(":") else { throw NetworkError(host: text) }
    let host = try Host(parsing: inside)
    let rest = text[text.index(after: end)...]
    if rest.isEmpty { return (host, nil) }
    guard rest.hasPrefix(":") else { throw NetworkError(host: text) }
    return (host, try readPort(rest.dropFirst(), of: String(text)))
  }

  private static func readPort(_ digits: Substring, of text: String) throws(NetworkError) -> Int {
    guard let port = WebAddress.port(digits) else { throw NetworkError(host: text) }
    return port
  }

  /// Whether the rule names an endpoint.
  func matches(_ endpoint: Endpoint) -> Bool {
    if let port, port != endpoint.port { return false }
    switch (target, endpoint.host) {
    case (.any, _): return true
    case (.host(let host), let other): return host == other
    case (.below(let name), .name(let other)): return other.hasSuffix("." + name)
    case (.network(let network), .address(let address)): return network.contains(address)
    default: return false
    }
  }
}
