import Mail
import MailWire
public import PluginKit
import SASL

/// Carries out `mail.transport` by a mail server: SMTP submission (RFC 6409), or LMTP (RFC 2033).
public struct SMTPPlugin: Plugin {
  let host: String
  let port: Int
  let isActive: Bool
  let account: Account
  let limits: TimeLimits
  let notification: Envelope.Notification
  let requiresTLS: Bool
  let pool: ConnectionPool
  let ledger: SendLedger
  /// The target of copies; `nil` if none are configured.
  let copies: SentCopies?
  let context: PluginContext
  private let template: SessionSettings
  private let user: String?
  private let hasToken: Bool
  private let hasPassword: Bool

  /// Checks the configuration; the server is connected to when something is to be sent.
  ///
  /// - Throws: `invalid_input` for settings that do not go together.
  public init(configuration: SMTPConfiguration, context: PluginContext) throws {
    let isLMTP = configuration.protocol == "lmtp"
    let tls = try Self.tls(configuration)
    host = configuration.host
    port = configuration.port ?? Self.defaultPort(tls, isLMTP: isLMTP)
    isActive = configuration.active ?? true
    account = try Account(configuration)
    limits = TimeLimits(configuration.timeouts)
    requiresTLS = configuration.requireTls ?? false
    notification = Envelope.Notification(
      events: configuration.notify?.on ?? [], returnsMessage: configuration.notify?.return == "full")
    user = configuration.user
    hasToken = configuration.token != nil
    hasPassword = configuration.password != nil
    template = SessionSettings(
      name: try Self.helloName(configuration.helo), tls: tls, isLMTP: isLMTP,
      mechanisms: try configuration.auth.map { name throws(ActionError) in [try Self.mechanism(name)] })
    pool = ConnectionPool(limit: configuration.connections ?? 4, idleTime: limits.idle, clock: context.clock)
    ledger = SendLedger(state: context.state, clock: context.clock)
    self.context = context
    copies = try SentSettings(configuration).map { [limits] in
      SentCopies($0, limits: limits, context: context)
    }
    if tls == .none, user != nil, !Self.isLocal(host) {
      context.log(.warning, "'tls: none': everything can be read on the way to \(host), the password too.")
    }
    if user != nil, !hasPassword, !hasToken {
      throw ActionError(
        .invalidInput, "'user' is set, but neither 'password' nor 'token'.",
        german: "'user' ist gesetzt, aber weder 'password' noch 'token'.",
        advice: "Name the secret that the account's IMAP provider uses: password: { secret: … }.",
        adviceGerman: "Das Geheimnis nennen, das der IMAP-Provider des Kontos verwendet: password: { secret: … }.")
    }
  }

  /// The actions.
  public static var actions: ActionList<SMTPPlugin> {
    sending
    checking
  }

  /// Opens a connection, with the secrets as they are now.
  func connect() async throws(ActionError) -> SMTPConnection {
    var settings = template
    if let user {
      let secret: SASLCredentials.Secret =
        hasToken
        ? .token(try await context.secrets.read("token")) : .password(try await context.secrets.read("password"))
      settings.credentials = SASLCredentials(user: user, secret: secret, host: host, port: port)
    }
    // A stream of the plugin's, not of the call's: the next message may use it.
    return try await SMTPConnection.open(
      host: host, port: port, settings: settings, limits: limits, streams: context.streams, clock: context.clock)
  }

  /// Refuses to work where the provider is switched off.
  func checkActive() throws(ActionError) {
    guard isActive else {
      throw ActionError(
        .unsupported, "The provider '\(context.provider)' is switched off.",
        german: "Der Provider '\(context.provider)' ist abgeschaltet.",
        advice: "Set 'active: true' to send by it.", adviceGerman: "Zum Senden 'active: true' setzen.")
    }
  }

  // MARK: Settings

  private static func tls(_ configuration: SMTPConfiguration) throws(ActionError) -> SessionSettings.TLS {
    if let text = configuration.tls {
      guard let tls = SessionSettings.TLS(rawValue: text) else {
        throw .unknownTLS
      }
      return tls
    }
    return configuration.port == nil || configuration.port == 465 ? .implicit : .starttls
  }

  /// Whether a server is on the same machine.
  private static func isLocal(_ host: String) -> Bool {
    host.lowercased() == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  private static func defaultPort(_ tls: SessionSettings.TLS, isLMTP: Bool) -> Int {
    if isLMTP { return 24 }
    return switch tls {
    case .implicit: 465
    case .starttls: 587
    case .none: 25
    }
  }

  private static func mechanism(_ name: String) throws(ActionError) -> SASLMechanism {
    guard let mechanism = SASLMechanism(name: name) else {
      throw ActionError(
        .invalidInput, "'auth: \(name)' is not a known way to sign in.",
        german: "'auth: \(name)' ist keine bekannte Anmeldung.")
    }
    return mechanism
  }

  /// RFC 5321, section 4.1.3: a client without a name gives an address.
  private static func helloName(_ name: String?) throws(ActionError) -> String {
    guard let name else { return "[127.0.0.1]" }
    let isName = !name.isEmpty && name.utf8.count <= 255 && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isName else {
      throw ActionError(
        .invalidInput, "'helo' is a host name, or an address in brackets.",
        german: "'helo' ist ein Rechnername oder eine Adresse in eckigen Klammern.")
    }
    return name
  }
}

extension ActionError {
  static var unknownTLS: ActionError {
    ActionError(
      .invalidInput, "'tls' is 'implicit', 'starttls' or 'none'.",
      german: "'tls' ist 'implicit', 'starttls' oder 'none'.")
  }
}
