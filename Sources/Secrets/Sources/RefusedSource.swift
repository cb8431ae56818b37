public import Localization

/// A source that is known and not asked, as the user has not trusted the folder that names it.
public struct RefusedSource: SecretSource {
  /// The source that is not asked.
  public let origin: SecretOrigin
  private let reason: LocalizedText

  /// Creates a source that refuses.
  ///
  /// - Parameter reason: Why, and what to do.
  public init(_ origin: SecretOrigin, reason: LocalizedText) {
    self.origin = origin
    self.reason = reason
  }

  /// Gives the reason, so that the next source is asked and the reason is reported if none has the secret.
  public func find(_ name: SecretName) throws(SecretError) -> SecretFinding { .failed(reason) }

  /// `nil`: only asking would show it.
  public func has(_ name: SecretName) throws(SecretError) -> Bool? { nil }
}
