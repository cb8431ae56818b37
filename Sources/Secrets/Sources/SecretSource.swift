public import Localization

/// A source's answer to a look-up.
public enum SecretFinding: Sendable {
  /// Here it is.
  case found(SecureBytes)
  /// The source does not have it; the next one is asked.
  case absent
  /// The source could not say; the next one is asked, and if none has it either, this is reported.
  case failed(LocalizedText)
  /// The source is not asked until the user allows it; the next one is asked, and this is reported if none has the secret.
  case refused(LocalizedText)
}

/// A place where secrets are looked up by name.
public protocol SecretSource: Sendable {
  /// Where this is.
  var origin: SecretOrigin { get }

  /// Looks a secret up. May block for seconds: a program runs, a person is asked for a passphrase.
  ///
  /// - Throws: ``SecretError`` where going on to the next source would hide something that must be seen to: a file that
  ///   others may read, a wrong passphrase.
  func find(_ name: SecretName) throws(SecretError) -> SecretFinding

  /// The names of all secrets here; `nil` for a source that cannot be listed.
  func names() throws(SecretError) -> [SecretName]?

  /// Whether the source has a secret, without more effort than a look; `nil` if that takes asking.
  func has(_ name: SecretName) throws(SecretError) -> Bool?
}

extension SecretSource {
  /// No list.
  public func names() throws(SecretError) -> [SecretName]? { nil }

  /// By the list, if there is one.
  public func has(_ name: SecretName) throws(SecretError) -> Bool? { try names()?.contains(name) }
}
