import Localization

/// The credentials that systemd hands to a service: one file each in `$CREDENTIALS_DIRECTORY` (systemd.exec(5),
/// `LoadCredential=`, `LoadCredentialEncrypted=`, `SetCredential=`).
///
/// Their modes are not checked: systemd guards the folder, with an access list that a mode cannot show.
public struct CredentialSource: SecretSource {
  private let folder: String?

  /// Creates the source.
  ///
  /// - Parameter folder: The value of `CREDENTIALS_DIRECTORY`; without one there are no credentials.
  public init(folder: String?) {
    // A relative one is not systemd's.
    self.folder = folder.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The credentials.
  public var origin: SecretOrigin { SecretOrigin(.credentials) }

  /// The credential of that name. A name is not a path: nothing outside the folder can be asked for.
  public func find(_ name: SecretName) throws(SecretError) -> SecretFinding {
    guard let folder,
      let bytes = try ProtectedFile.read("\(folder)/\(name)", limit: SecretLimits.value, access: .given)
    else { return .absent }
    let value = try bytes.withoutLineEnd()
    return value.isEmpty ? .absent : .found(value)
  }

  /// Whether there is such a credential.
  public func has(_ name: SecretName) throws(SecretError) -> Bool? {
    if case .found = try find(name) { true } else { false }
  }
}
