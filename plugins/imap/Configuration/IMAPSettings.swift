import Mail
import MailWire
import PluginKit
import SASL

/// The configuration, checked.
struct IMAPSettings: Sendable {
  /// When the connection is encrypted.
  enum TLS: String, Sendable {
    case implicit
    case startTLS = "starttls"
    /// Only if it is configured: everything is sent unencrypted, the password too.
    case none
  }

  let host: String
  let port: Int
  let tls: TLS
  let user: String
  let hasPassword: Bool
  let hasToken: Bool
  /// The only mechanisms to use; `nil` for the best there is.
  let mechanisms: [SASLMechanism]?
  let owner: Address?
  let folders: SpecialFolderSettings
  let connectTimeout: Duration
  let commandTimeout: Duration
  let idleRenewal: Duration
  let pollInterval: Duration
  let connections: Int
  /// Whether bytes are compressed where the server can (RFC 4978).
  let isCompressed: Bool

  /// - Throws: `invalid_input` that names the setting.
  init(_ configuration: IMAPConfiguration) throws(ActionError) {
    host = configuration.host
    guard !host.isEmpty else { throw Self.invalid("host", "is empty", "ist leer") }
    guard let tls = TLS(rawValue: configuration.tls ?? "implicit") else {
      throw Self.invalid(
        "tls", "is neither implicit nor starttls nor none", "ist weder implicit noch starttls noch none")
    }
    self.tls = tls
    port = configuration.port ?? (tls == .implicit ? 993 : 143)
    guard (1...65535).contains(port) else { throw Self.invalid("port", "is not 1 to 65535", "ist nicht 1 bis 65535") }
    user = configuration.user
    guard !user.isEmpty, !user.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw Self.invalid("user", "is empty or holds a control character", "ist leer oder enthält ein Steuerzeichen")
    }
    hasPassword = configuration.password != nil
    hasToken = configuration.token != nil
    guard hasPassword || hasToken else {
      throw ActionError(
        .invalidInput, "Neither 'password' nor 'token' is set.", german: "Weder 'password' noch 'token' ist gesetzt.",
        advice: "Write password: { secret: NAME } and set it with 'sous secrets set NAME'.",
        adviceGerman: "password: { secret: NAME } schreiben und mit 'sous secrets set NAME' setzen.")
    }
    mechanisms = try configuration.auth.map { name throws(ActionError) in
      guard let mechanism = SASLMechanism(name: name) else {
        throw Self.invalid(
          "auth", "names a way to sign in that is not known", "nennt eine unbekannte Art der Anmeldung")
      }
      return [mechanism]
    }
    owner = try configuration.from.map { text throws(ActionError) in try Composer.address(text, "from") }
    folders = configuration.folders ?? SpecialFolderSettings()
    connectTimeout = try Self.time(configuration.connectTimeout, "connect_timeout", 15, in: 0.1...600)
    commandTimeout = try Self.time(configuration.commandTimeout, "command_timeout", 30, in: 0.1...3600)
    idleRenewal = try Self.time(configuration.idleRenewal, "idle_renewal", 540, in: 1...1680)
    pollInterval = try Self.time(configuration.pollInterval, "poll_interval", 60, in: 1...7200)
    // Between two programs of one machine it costs more than it saves.
    let isLocal = ["localhost", "::1", "[::1]"].contains(host.lowercased()) || host.hasPrefix("127.")
    isCompressed = configuration.compress ?? !isLocal
    connections = configuration.connections ?? 4
    guard (1...50).contains(connections) else {
      throw Self.invalid("connections", "is not 1 to 50", "ist nicht 1 bis 50")
    }
  }

  private static func time(
    _ span: TimeSpan?, _ name: String, _ standard: Double, in range: ClosedRange<Double>
  ) throws(ActionError) -> Duration {
    let seconds = span?.seconds ?? standard
    guard range.contains(seconds) else {
      throw invalid(
        name, "is not \(range.lowerBound) to \(range.upperBound) seconds",
        "ist nicht \(range.lowerBound) bis \(range.upperBound) Sekunden")
    }
    return .milliseconds(Int64(seconds * 1000))
  }

  private static func invalid(_ name: String, _ english: String, _ german: String) -> ActionError {
    ActionError(.invalidInput, "'\(name)' \(english).", german: "'\(name)' \(german).")
  }
}
