public import Localization

/// The source of a secret, without anything confidential.
public struct SecretOrigin: Sendable, Hashable {
  /// The sorts of places.
  public enum Kind: String, Sendable, CaseIterable {
    /// A variable of the process's environment.
    case environment
    /// A file, or a line of one.
    case file
    /// Credentials of systemd for a service (`LoadCredential=`).
    case credentials
    /// The output of a program.
    case command
    /// The vault beside the run log.
    case vault
  }

  /// The sort of place.
  public let kind: Kind
  /// Which one, where there may be several: a path, or the name of a program without its arguments.
  public let detail: String?

  /// Creates an origin.
  public init(_ kind: Kind, detail: String? = nil) {
    self.kind = kind
    self.detail = detail
  }

  /// The origin for people.
  public var text: LocalizedText {
    let detail = LocalizedText(verbatim: detail.map { " " + $0 } ?? "")
    return switch kind {
    case .environment: LocalizedText("environment", de: "Umgebung")
    case .file: LocalizedText("file", de: "Datei") + detail
    case .credentials: LocalizedText("systemd credentials", de: "systemd-Credentials")
    case .command: LocalizedText("command", de: "Befehl") + detail
    case .vault: LocalizedText("vault", de: "Tresor") + detail
    }
  }
}
