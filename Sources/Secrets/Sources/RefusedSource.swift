public import Localization

/// Replaces a source that the user has not trusted: it gives the reason instead of secrets.
public struct RefusedSource: SecretSource {
  /// The source that is not asked.
  public let origin: SecretOrigin
  private let reason: LocalizedText

  /// Creates a source that refuses.
  ///
  /// - Parameters:
  ///   - origin: The origin of the replaced source.
  ///   - reason: Why it is refused, with the remedy.
  public init(_ origin: SecretOrigin, reason: LocalizedText) {
    self.origin = origin
    self.reason = reason
  }

  /// Fails with the reason. The next source is then asked; if none has the secret, the reason is reported.
  public func find(_ name: SecretName) throws(SecretError) -> SecretFinding { .failed(reason) }

  /// `nil`, for unknown: the source is not asked.
  public func has(_ name: SecretName) throws(SecretError) -> Bool? { nil }
}
