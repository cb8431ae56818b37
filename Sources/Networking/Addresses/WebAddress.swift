import Localization

/// An http or https URL, parsed once: the checked parts are those that are connected to and sent.
struct WebAddress: Sendable, Hashable {
  /// Whether it is https.
  let isSecure: Bool
  /// Where to connect.
  let endpoint: Endpoint
  /// Path and query as the request line has them; the fragment is gone.
  let target: String

  /// Reads an absolute URL (RFC 3986).
  ///
  /// - Throws: ``NetworkError/Code/urlInvalid`` or ``NetworkError/Code/hostInvalid``
  init(parsing text: String) throws(NetworkError) {
    guard text.utf8.count <= Self.longest else {
      throw Self.invalid(
        LocalizedText("it is longer than \(Self.longest) bytes", de: "sie ist länger als \(Self.longest) Bytes"))
    }
    // A backslash is a slash to some and part of the host to others.
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f && $0 != "\\" }) else {
      throw Self.invalid(
        LocalizedText(
          "it contains a control character or a backslash",
          de: "sie enthält ein Steuerzeichen oder einen umgekehrten Schrägstrich"))
    }
    guard let colon = text.firstRange(of: "://") else { throw Self.noScheme }
    switch text[..<colon.lowerBound].lowercased() {
    case "http": isSecure = false
    case "https": isSecure = true
    default: throw Self.noScheme
    }
    let rest = text[colon.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    endpoint = try Self.endpoint(rest[..<end], defaultPort: isSecure ? 443 : 80)
    target = Self.target(rest[end...])
  }

  private init(isSecure: Bool, endpoint: Endpoint, target: String) {
    self.isSecure = isSecure
    self.endpoint = endpoint
    self.target = target
  }

  private static let longest = 64 << 10

  private static func endpoint(_ authority: Substring, defaultPort: Int) throws(NetworkError) -> Endpoint {
    guard !authority.contains("@") else {
      throw invalid(
        LocalizedText(
          "it names a user; credentials belong in a header",
          de: "sie nennt einen Benutzer; Zugangsdaten gehören in eine Kopfzeile"))
    }
    let host: Host
    let tail: Substring
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else { throw invalid(badHost) }
      let inside = authority[authority.index(after: authority.startIndex)..<close]
      guard inside.contains(":") else { throw invalid(badHost) }
      host = try Host(parsing: inside)
      tail = authority[authority.index(after: close)...]
    } else {
      let colon = authority.firstIndex(of: ":") ?? authority.endIndex
      host = try Host(parsing: authority[..<colon])
      tail = authority[colon...]
    }
    if tail.isEmpty || tail == ":" { return Endpoint(host: host, port: defaultPort) }
    guard tail.hasPrefix(":"), let port = port(tail.dropFirst()) else {
      throw invalid(LocalizedText("its port is not 1 to 65535", de: "ihr Port liegt nicht zwischen 1 und 65535"))
    }
    return Endpoint(host: host, port: port)
  }

  /// A port in decimal digits, 1 to 65535.
  static func port(_ digits: Substring) -> Int? {
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits), (1...65535).contains(port)
    else { return nil }
    return port
  }

  /// Path and query: blanks and what is not ASCII percent-encoded, the rest as it is.
  private static func target(_ text: Substring) -> String {
    let text = text.prefix { $0 != "#" }
    var target = text.hasPrefix("/") ? "" : "/"
    for byte in text.utf8 {
      if byte > 0x20, byte < 0x7f {
        target.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        target += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return target
  }

  private static let badHost = LocalizedText("its host cannot be read", de: "ihr Rechnername ist nicht lesbar")

  private static let noScheme = invalid(
    LocalizedText("it does not begin with http:// or https://", de: "sie beginnt nicht mit http:// oder https://"))

  private static func invalid(_ reason: LocalizedText) -> NetworkError {
    NetworkError(
      .invalidInput, .urlInvalid,
      LocalizedText("The URL cannot be used: ", de: "Die URL ist nicht verwendbar: ") + reason)
  }
}

extension WebAddress {
  /// The value of the field Host.
  var authority: String {
    endpoint.port == (isSecure ? 443 : 80) ? endpoint.host.bracketed : endpoint.description
  }

  /// Whether both have the same scheme, host and port (RFC 6454).
  func hasSameOrigin(as other: WebAddress) -> Bool { isSecure == other.isSecure && endpoint == other.endpoint }

  /// The URL that a reference in a response to this one leads to (RFC 3986, section 5.2).
  func resolving(_ reference: String) throws(NetworkError) -> WebAddress {
    let scheme = isSecure ? "https" : "http"
    if Self.hasScheme(reference) { return try WebAddress(parsing: reference) }
    if reference.hasPrefix("//") { return try WebAddress(parsing: "\(scheme):\(reference)") }
    let path = target.prefix { $0 != "?" }
    let base = "\(scheme)://\(endpoint)"
    if reference.isEmpty || reference.hasPrefix("#") { return self }
    if reference.hasPrefix("?") { return try WebAddress(parsing: base + path + reference) }
    let joined =
      reference.hasPrefix("/") ? reference : path[...(path.lastIndex(of: "/") ?? path.startIndex)] + reference
    let end = joined.firstIndex { $0 == "?" || $0 == "#" } ?? joined.endIndex
    return try WebAddress(parsing: base + Self.withoutDots(joined[..<end]) + joined[end...])
  }

  private static func hasScheme(_ reference: String) -> Bool {
    guard let colon = reference.firstIndex(of: ":"), let first = reference.utf8.first else { return false }
    let isLetter = (0x41...0x5a).contains(first) || (0x61...0x7a).contains(first)
    return isLetter && !reference[..<colon].contains { $0 == "/" || $0 == "?" || $0 == "#" }
  }

  private static func withoutDots(_ path: Substring) -> String {
    var kept: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for part in parts {
      if part == ".." { _ = kept.popLast() } else if part != "." { kept.append(part) }
    }
    if parts.last == "." || parts.last == ".." { kept.append("") }
    return "/" + kept.joined(separator: "/")
  }
}
