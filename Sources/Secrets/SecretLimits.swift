/// Bounds of what counts as a secret.
enum SecretLimits {
  /// The most bytes of a secret: 64 KiB, enough for any key or token.
  static let value = 64 << 10
  /// The most bytes of a file of `NAME=VALUE` lines.
  static let file = 1 << 20
}
