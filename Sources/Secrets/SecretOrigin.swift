public import Localization

/// Where a secret comes from, as far as it can be told to anybody.
public struct SecretOrigin: Sendable, Hashable {
  /// The sorts of places.
  public enum Kind: String, Sendable, CaseIterable {
    /// A variable of the process's environment.
    case environment
    /// A file, or a line of one.
    case file
    /// What systemd hands to a service (`LoadCredential=`).
    case credentials
    /// What a program prints.
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
