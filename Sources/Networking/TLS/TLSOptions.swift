/// Whom a connection trusts. TLS is always 1.2 or later, and nothing turns the verification off.
public struct TLSOptions: Sendable, Hashable {
  /// A PEM file with the authorities to trust instead of the system's. The host name is verified as ever.
  public var authorities: String?
  /// A PEM file with the one certificate that the server must present. Without `authorities` that alone decides: it may be
  /// signed by itself, and names and dates in it do not matter. With `authorities` both have to hold.
  public var certificate: String?

  /// Creates options; without arguments: the system's authorities.
  public init(authorities: String? = nil, certificate: String? = nil) {
    self.authorities = authorities
    self.certificate = certificate
  }
}
