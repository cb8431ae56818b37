import Localization
import PluginKit
import SASL

/// Opens a session: greeting, EHLO, STARTTLS, AUTH. Pure: replies in, what to do out.
///
/// ```
/// greeting → hello → [STARTTLS → (TLS) → hello] → [AUTH → challenges] → ready
/// ```
struct SessionOpening: Sendable {
  /// The next action.
  enum Step: Sendable, Equatable {
    /// Send a line and wait for the reply.
    case send(String)
    /// Begin TLS, then call ``secured()``.
    case startTLS
    /// The session may be used.
    case ready(ServerFeatures)
  }

  private enum State: Sendable {
    case greeting
    case hello
    case helo
    case startTLS
    case securing
    case signIn(SASLExchange, unsaid: Bool)
    case over
  }

  private let settings: SessionSettings
  private var state = State.greeting
  private var features = ServerFeatures.none
  private var isEncrypted: Bool
  /// The way the session was signed in by; `nil` for none.
  private(set) var mechanism: SASLMechanism?
  /// The server's greeting.
  private(set) var greeting: Reply?

  /// The longest command line in bytes, with its end (RFC 5321, section 4.5.3.1.4).
  private static let longestCommand = 512

  init(_ settings: SessionSettings) {
    self.settings = settings
    isEncrypted = settings.tls == .implicit
  }

  /// Takes the next reply; the first is the greeting.
  ///
  /// - Throws: The error of the refusal; `auth` if there is no way to sign in that may be used.
  mutating func receive(_ reply: Reply) throws(ActionError) -> Step {
    switch state {
    case .greeting:
      guard reply.code == 220 else { throw ActionError(reply, at: .greeting) }
      greeting = reply
      return hello()
    case .hello:
      if reply.isPositive {
        features = ServerFeatures(reply: reply)
        return try afterHello()
      }
      // A server from before EHLO. Features that need an extension fail.
      let isOld = (500...504).contains(reply.code) && !settings.isLMTP && settings.credentials == nil
      guard isOld, settings.tls != .starttls else { throw ActionError(reply, at: .hello) }
      state = .helo
      return .send("HELO \(settings.name)")
    case .helo:
      guard reply.isPositive else { throw ActionError(reply, at: .hello) }
      features = .none
      return try afterHello()
    case .startTLS:
      guard reply.code == 220 else { throw ActionError(reply, at: .startTLS) }
      state = .securing
      return .startTLS
    case .signIn(var exchange, let unsaid):
      return try signIn(reply, &exchange, unsaid)
    case .securing, .over:
      throw .unasked
    }
  }

  /// TLS is established. Earlier replies are dropped, because a third party may have sent them (RFC 3207, section 4.2).
  mutating func secured() -> Step {
    isEncrypted = true
    features = .none
    return hello()
  }

  private mutating func hello() -> Step {
    state = .hello
    return .send("\(settings.isLMTP ? "LHLO" : "EHLO") \(settings.name)")
  }

  private mutating func afterHello() throws(ActionError) -> Step {
    if settings.tls == .starttls, !isEncrypted {
      guard features.startsTLS else { throw .noSTARTTLS }
      state = .startTLS
      return .send("STARTTLS")
    }
    guard let credentials = settings.credentials else {
      state = .over
      return .ready(features)
    }
    do {
      let policy = SASLPolicy(
        isEncrypted: isEncrypted, allowsUnencrypted: settings.tls == .none, allowed: settings.mechanisms)
      let mechanism = try policy.mechanism(offered: features.mechanisms, for: credentials)
      let exchange = try SASLExchange(mechanism, credentials: credentials, nonce: settings.nonce)
      self.mechanism = mechanism
      return begin(exchange)
    } catch {
      throw ActionError(error)
    }
  }

  private mutating func begin(_ exchange: SASLExchange) -> Step {
    let command = "AUTH \(exchange.mechanism.rawValue)"
    if let initial = exchange.initialResponse {
      let line = "\(command) \(SASLText.encodedInitial(initial))"
      // RFC 4954, section 4: what makes the line too long follows the server's question.
      if line.utf8.count + 2 <= Self.longestCommand {
        state = .signIn(exchange, unsaid: false)
        return .send(line)
      }
      state = .signIn(exchange, unsaid: true)
    } else {
      state = .signIn(exchange, unsaid: false)
    }
    return .send(command)
  }

  private mutating func signIn(
    _ reply: Reply, _ exchange: inout SASLExchange, _ unsaid: Bool
  ) throws(ActionError) -> Step {
    do {
      if reply.code == 334 {
        let response: [UInt8]
        if unsaid, let initial = exchange.initialResponse {
          response = initial
        } else {
          response = try exchange.respond(to: SASLText.decoded(reply.lines.joined()))
        }
        state = .signIn(exchange, unsaid: false)
        return .send(SASLText.encoded(response))
      }
      if reply.code == 235 {
        try exchange.finish()
        state = .over
        return .ready(features)
      }
    } catch {
      throw ActionError(error)
    }
    throw ActionError(reply, at: .signIn).adding(exchange.refusal)
  }
}

extension ActionError {
  init(_ error: SASLError) {
    self.init(
      error.code == .invalidCredentials ? .invalidInput : .auth, error.message.english, german: error.message.german,
      advice: error.advice?.english, adviceGerman: error.advice?.german)
  }

  /// The error with what the server has said about a token.
  fileprivate func adding(_ refusal: String?) -> ActionError {
    guard let refusal, !refusal.isEmpty else { return self }
    let words = String(String.UnicodeScalarView(refusal.unicodeScalars.filter { $0.value >= 0x20 }).prefix(300))
    var error = self
    error.message += " (\(words))"
    error.messageGerman = messageGerman.map { $0 + " (\(words))" }
    return error
  }

  static var unasked: ActionError {
    ActionError(
      .protocol, "The mail server sent an unexpected reply.",
      german: "Der Mailserver schickte eine Antwort, nach der niemand gefragt hatte.")
  }

  static var noSTARTTLS: ActionError {
    ActionError(
      .auth, "The mail server does not offer STARTTLS, so the connection would stay unencrypted.",
      german: "Der Mailserver bietet kein STARTTLS; die Verbindung bliebe unverschlüsselt.",
      advice:
        "Use 'tls: implicit', on port 465 mostly. If it did offer STARTTLS before, a third party may be in the line.",
      adviceGerman:
        "'tls: implicit' verwenden, meist auf Port 465. Bot er bisher STARTTLS, greift vielleicht jemand ein.")
  }
}
