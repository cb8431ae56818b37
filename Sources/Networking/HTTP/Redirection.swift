import Localization

/// Where redirects have led so far, and whether they may lead further. Knows no connections.
struct Redirection: Sendable {
  private let follows: Bool
  private let limit: Int
  private var count = 0
  /// Where the request goes now.
  private(set) var address: WebAddress
  /// With what.
  private(set) var head: RequestHead

  /// Begins at the address of the request.
  init(_ head: RequestHead, to address: WebAddress, follows: Bool, limit: Int) {
    self.head = head
    self.address = address
    self.follows = follows && head.isRepeatable
    self.limit = limit
  }

  /// Whether a response is a redirect that is followed.
  ///
  /// A response that leads nowhere (no Location, or 300 and 304) is an answer like any other.
  ///
  /// - Throws: ``NetworkError/Code/tooManyRedirects``, ``NetworkError/Code/redirectInsecure``, or that the Location
  ///   cannot be used.
  mutating func follow(status: Int, location: String?) throws(NetworkError) -> Bool {
    guard follows, [301, 302, 303, 307, 308].contains(status), let location else { return false }
    guard count < limit else {
      throw NetworkError(
        .protocol, .tooManyRedirects,
        LocalizedText(
          "\(address.endpoint) redirects again after \(limit) redirects",
          de: "\(address.endpoint) leitet nach \(limit) Umleitungen noch einmal um"))
    }
    count += 1
    let next: WebAddress
    do {
      next = try address.resolving(location)
    } catch {
      // The first URL is the caller's choice; the target of a redirect is not.
      throw NetworkError(.protocol, error.code, error.message, advice: error.advice)
    }
    guard next.isSecure || !address.isSecure else {
      throw NetworkError(
        .auth, .redirectInsecure,
        LocalizedText(
          "\(address.endpoint) redirects from https to http (\(next.endpoint))",
          de: "\(address.endpoint) leitet von https nach http um (\(next.endpoint))"),
        advice: LocalizedText(
          "ask for the http address itself if that is meant",
          de: "die http-Adresse selbst angeben, falls sie gemeint ist"))
    }
    if !next.hasSameOrigin(as: address) { head = head.forOtherOrigin() }
    address = next
    return true
  }
}
