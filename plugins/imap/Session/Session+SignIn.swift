import Localization
import PluginKit
import SASL

extension Session {
  /// Connects, encrypts and signs in.
  ///
  /// - Throws: `dns`, `refused`, `unreachable`, `timeout` or `auth` (certificate) of the host; `auth` with the server's
  ///   words where it refuses the sign-in; `protocol`.
  static func open(
    _ settings: IMAPSettings, _ credentials: SASLCredentials, streams: StreamClient, clock: HostClock
  ) async throws(ActionError) -> Session {
    let stream = try await streams.open(
      host: settings.host, port: settings.port, tls: settings.tls == .implicit ? .implicit : .none,
      connectTimeout: settings.connectTimeout)
    let session = Session(stream, settings: settings, clock: clock)
    do {
      try await session.greet(credentials)
    } catch {
      await session.abandon()
      throw error
    }
    return session
  }

  private func greet(_ credentials: SASLCredentials) async throws(ActionError) {
    guard case .greeting(let greeting) = try await greeting() else { throw lost }
    let isSignedIn = greeting.condition == .preauth
    if settings.tls == .startTLS {
      // Who is signed in cannot ask for encryption any more (RFC 9051 §7.1.4): the way to strip it off.
      guard !isSignedIn else { throw withoutEncryption }
      try await encrypt()
    }
    if machine.capabilities.isEmpty { try await require(Command("CAPABILITY")) }
    if !isSignedIn { try await signIn(credentials) }
    try await introduce()
  }

  /// Waits for the greeting. A server that speaks TLS from the start waits for the client instead.
  private func greeting() async throws(ActionError) -> ConnectionMachine.Event {
    do {
      return try await event(within: settings.connectTimeout)
    } catch  where error.kind == .timeout {
      throw speechless
    }
  }

  private func encrypt() async throws(ActionError) {
    if machine.capabilities.isEmpty { try await require(Command("CAPABILITY")) }
    guard has("STARTTLS") else { throw withoutEncryption }
    try await require(Command("STARTTLS"))
    try await startTLS()
  }

  /// The commands right after signing in: who we are (some servers want to know before they open a mailbox), that we understand
  /// UTF-8 and want removals by UID, and whether to compress.
  private func introduce() async throws(ActionError) {
    if machine.capabilities.isEmpty { try await require(Command("CAPABILITY")) }
    if has("ID") {
      _ = try await perform(Command("ID", #"("name" "Sous" "vendor" "Sous")"#))
    }
    let wanted = ["UTF8=ACCEPT", "QRESYNC"].filter { has($0) }
    if has("ENABLE"), !wanted.isEmpty { _ = try await perform(Command("ENABLE", wanted.joined(separator: " "))) }
    if settings.isCompressed, has("COMPRESS=DEFLATE") { try await compress() }
  }

  // MARK: Signing in

  private func signIn(_ credentials: SASLCredentials) async throws(ActionError) {
    let before = machine.capabilities
    let status = try await authenticate(credentials)
    guard status.isOK else { throw rejected(status) }
    // More capabilities may be offered now; if the server did not send them, they are requested.
    if machine.capabilities == before { forgetCapabilities() }
  }

  private func authenticate(_ credentials: SASLCredentials) async throws(ActionError) -> StatusResponse {
    let policy = SASLPolicy(
      isEncrypted: settings.tls != .none, allowsUnencrypted: settings.tls == .none, allowed: settings.mechanisms)
    let offered = machine.capabilities.filter { $0.hasPrefix("AUTH=") }.map { String($0.dropFirst(5)) }
    let mechanism: SASLMechanism
    do {
      mechanism = try policy.mechanism(offered: offered, for: credentials)
    } catch {
      // The command LOGIN is older than mechanisms.
      guard case .password(let password) = credentials.secret, !has("LOGINDISABLED"), settings.mechanisms == nil,
        error.code == .noMechanism
      else { throw ActionError(error) }
      return try await logIn(password)
    }
    let status = try await exchange(mechanism, credentials, isDirect: has("SASL-IR"))
    // Coremail offers SASL-IR and does not understand it.
    guard status.condition == .bad, has("SASL-IR") else { return status }
    return try await exchange(mechanism, credentials, isDirect: false)
  }

  private func logIn(_ password: String) async throws(ActionError) -> StatusResponse {
    guard !password.utf8.contains(0) else {
      throw ActionError(
        .auth, "The password holds a NUL, which IMAP cannot send.",
        german: "Das Passwort enthält ein NUL, das IMAP nicht senden kann.")
    }
    var command = Command("LOGIN")
    command.astring(settings.user)
    command.astring(password)
    return try await perform(command, .signIn)
  }

  /// AUTHENTICATE (RFC 9051 §6.2.2), with the first message in the command where the server takes it (RFC 4959).
  private func exchange(
    _ mechanism: SASLMechanism, _ credentials: SASLCredentials, isDirect: Bool
  ) async throws(ActionError) -> StatusResponse {
    do {
      var exchange = try SASLExchange(mechanism, credentials: credentials)
      var first = exchange.initialResponse
      var command = Command("AUTHENTICATE", mechanism.rawValue)
      if isDirect, let message = first {
        command.raw(" " + SASLText.encodedInitial(message))
        first = nil
      }
      let tag = try await send(command, .signIn)
      for _ in 0..<10 {
        awaitContinuation()
        guard let challenge = try await continuation(or: tag) else { break }
        let answer: [UInt8]
        if let message = first {
          answer = message
          first = nil
        } else {
          answer = try exchange.respond(to: try SASLText.decoded(challenge))
        }
        try await write(Array((SASLText.encoded(answer) + "\r\n").utf8))
      }
      let status = try await finish(tag) { _ throws(ActionError) in }
      if status.isOK { try exchange.finish() }
      return status
    } catch let error as SASLError {
      abandon()
      throw ActionError(error)
    } catch {
      throw ActionError.of(error)
    }
  }

  // MARK: Errors

  private func rejected(_ status: StatusResponse) -> ActionError {
    let words = Self.shown(status.text)
    let kind = Self.kind(status)
    let isWrong = kind != .server && kind != .rateLimited
    return ActionError(
      isWrong ? .auth : kind, "\(settings.host) refused to sign in '\(settings.user)': \(words)",
      german: "\(settings.host) hat die Anmeldung von '\(settings.user)' abgelehnt: \(words)",
      advice: isWrong
        ? "Check user and password. Many services want a password made for programs ('app password')." : nil,
      adviceGerman: isWrong
        ? "Benutzer und Passwort prüfen. Viele Dienste verlangen ein Passwort für Programme ('App-Passwort')." : nil)
  }

  private var speechless: ActionError {
    let isPlain = settings.tls != .implicit
    return ActionError(
      .timeout,
      "\(settings.host) did not greet on port \(settings.port) within \(settings.connectTimeout) (connect_timeout).",
      german:
        "\(settings.host) hat auf Port \(settings.port) innerhalb von \(settings.connectTimeout) nicht gegrüßt "
        + "(connect_timeout).",
      advice: isPlain
        ? "Set tls: implicit where the port speaks TLS from the start, as 993 does."
        : "Raise connect_timeout of the provider where the server is slow.",
      adviceGerman: isPlain
        ? "tls: implicit setzen, wo der Port von Anfang an TLS spricht, wie 993."
        : "Ist der Server langsam, hilft ein größeres connect_timeout des Providers.")
  }

  private var withoutEncryption: ActionError {
    ActionError(
      .auth, "\(settings.host) does not offer STARTTLS on port \(settings.port); nothing was sent.",
      german: "\(settings.host) bietet auf Port \(settings.port) kein STARTTLS an; gesendet wurde nichts.",
      advice: "Use tls: implicit with port 993 where the server has it.",
      adviceGerman: "tls: implicit mit Port 993 verwenden, wo der Server das kann.")
  }
}

extension ActionError {
  /// The error of a mechanism.
  init(_ error: SASLError) {
    self.init(
      error.code == .malformedChallenge ? .protocol : .auth, error.message.english, german: error.message.german,
      advice: error.advice?.english, adviceGerman: error.advice?.german)
  }

  /// An error that is one of ours already, as all that sessions throw are.
  static func of(_ error: any Error) -> ActionError {
    error as? ActionError ?? ActionError(.protocol, "The connection failed.", german: "Die Verbindung schlug fehl.")
  }
}
