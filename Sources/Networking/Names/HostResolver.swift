/// Finds the addresses of a name.
protocol HostResolver: Sendable {
  /// Looks a name up and calls `completion` once, from any thread, with one address or more in the order of preference.
  func resolve(
    _ name: String, completion: @escaping @Sendable (Result<[IPAddress], NameFailure>) -> Void)
}

/// Why a name has no addresses.
enum NameFailure: Error, Sendable {
  /// There is no such name, or it has no addresses.
  case unknown
  /// The name service did not answer, or not usefully. In the system's words.
  case service(String)
}
