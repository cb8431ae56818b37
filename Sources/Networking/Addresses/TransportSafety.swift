/// Checks of URLs that files are fetched from, for callers that know no ``WebAddress``.
public enum TransportSafety {
  /// Whether bytes from a URL cannot be changed on the way: it is https, or http to this machine (loopback address or
  /// `localhost`).
  ///
  /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/urlInvalid`` or ``NetworkError/Code/hostInvalid``.
  public static func isProtected(_ url: String) throws(NetworkError) -> Bool {
    let address = try WebAddress(parsing: url)
    return address.isSecure || isThisMachine(address.endpoint.host)
  }

  /// The URL that a reference in a document leads to (RFC 3986, section 5.2).
  ///
  /// - Parameters:
  ///   - reference: The reference, absolute or relative.
  ///   - base: The URL of the document.
  /// - Throws: ``NetworkError`` if one of the two cannot be read.
  public static func resolve(_ reference: String, in base: String) throws(NetworkError) -> String {
    let address = try WebAddress(parsing: base).resolving(reference)
    return (address.isSecure ? "https://" : "http://") + address.authority + address.target
  }

  private static func isThisMachine(_ host: Host) -> Bool {
    switch host {
    case .address(let address): address.scope == .loopback
    case .name(let name): name == "localhost"
    }
  }
}
