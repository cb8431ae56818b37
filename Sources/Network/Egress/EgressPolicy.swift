/// Where connections may go, and where not.
///
/// A host of the manifest ("declared") must have a public address. One that the user configured may be private or
/// loopback too. Link-local and metadata addresses, multicast and the like are reached only where the user configured
/// exactly that address.
public struct EgressPolicy: Sendable, Hashable {
  /// Creates a policy from hosts as they are written.
  ///
  /// - Parameters:
  ///   - declared: Hosts from the manifest: `api.example.com`, `*.example.com` for all below, `*` for all; each with
  ///     `:port` as wanted.
  ///   - configured: Hosts from `sous.yaml`: the same, and IP addresses, networks (`10.0.0.0/8`), and URLs, which stand
  ///     for their host and port.
  ///   - provider: The provider's name in `sous.yaml`, for messages.
  /// - Throws: ``NetworkError`` with the code ``NetworkError/Code/hostInvalid``, naming the one that cannot be read.
  public init(declared: [String], configured: [String], provider: String? = nil) throws(NetworkError) {
  }
}
