import Localization

/// The client's side of one sign-in (RFC 4422): challenges in, responses out. Knows no protocol and no Base64.
///
/// ```swift
/// var exchange = try SASLExchange(.scramSHA256, credentials: credentials)
/// send(exchange.initialResponse)            // with the command, or as the answer to an empty challenge
/// send(try exchange.respond(to: challenge)) // as often as the server asks
/// try exchange.finish()                     // when the server says that all is well
/// ```
public struct SASLExchange: Sendable {
  /// The mechanism.
  public let mechanism: SASLMechanism

  private enum State: Sendable {
    case oneMessage
    case login(answers: [[UInt8]])
    case token(refusal: [UInt8])
    case scram(SCRAM)
  }

  /// The initial response of the client; `nil` if the server speaks first (LOGIN).
  public let initialResponse: [UInt8]?
  /// The server's text about a refused token, mostly JSON; `nil` before.
  public private(set) var refusal: String?
  private var state: State

  /// Begins a sign-in.
  ///
  /// - Parameters:
  ///   - mechanism: One that fits the credentials, see ``SASLPolicy``.
  ///   - credentials: The credentials.
  ///   - nonce: Random printable ASCII without a comma; `nil` for a random one.
  /// - Throws: `invalid_credentials` for characters that may not occur there, or a secret of the wrong sort.
  public init(
    _ mechanism: SASLMechanism, credentials: SASLCredentials, nonce: String? = nil
  ) throws(SASLError) {
    self.mechanism = mechanism
    try Self.check(credentials)
    switch (mechanism, credentials.secret) {
    case (.plain, .password(let password)):
      initialResponse =
        Array(credentials.authorizationIdentity.utf8) + [0] + Array(credentials.user.utf8) + [0] + Array(password.utf8)
      state = .oneMessage
    case (.login, .password(let password)):
      initialResponse = nil
      state = .login(answers: [Array(credentials.user.utf8), Array(password.utf8)])
    case (.scramSHA256, .password(let password)), (.scramSHA1, .password(let password)):
      let nonce = if let nonce { nonce } else { try SASLCryptography.nonce() }
      let scram = try SCRAM(
        mechanism == .scramSHA256 ? .sha256 : .sha1, user: credentials.user, password: password,
        authorizationIdentity: credentials.authorizationIdentity, nonce: nonce)
      initialResponse = scram.clientFirst
      state = .scram(scram)
    case (.oauthBearer, .token(let token)):
      initialResponse = Self.bearer(token, credentials)
      state = .token(refusal: [1])
    case (.xoauth2, .token(let token)):
      initialResponse = Array("user=\(credentials.user)\u{1}auth=Bearer \(token)\u{1}\u{1}".utf8)
      state = .token(refusal: [])
    default:
      throw SASLError(
        .invalidCredentials,
        LocalizedText(
          "\(mechanism.rawValue) does not work with this sort of secret.",
          de: "\(mechanism.rawValue) passt nicht zu dieser Art von Geheimnis."))
    }
  }

  /// Answers a challenge.
  ///
  /// For a mechanism with a token a challenge means refusal: the answer only ends the exchange, after which the server
  /// says no.
  ///
  /// - Throws: `malformed_challenge`, `rejected`, `server_not_verified`.
  public mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    switch state {
    case .oneMessage: throw .malformed("a question more than it has", "eine Frage mehr, als es hat")
    case .login(let answers):
      guard let answer = answers.first else {
        throw .malformed("a question more than it has", "eine Frage mehr, als es hat")
      }
      state = .login(answers: Array(answers.dropFirst()))
      return answer
    case .token(let end):
      guard refusal == nil else { throw .malformed("a second refusal", "eine zweite Ablehnung") }
      refusal = String(decoding: challenge.prefix(2000), as: UTF8.self)
      return end
    case .scram(var scram):
      let response = try scram.respond(to: challenge)
      state = .scram(scram)
      return response
    }
  }

  /// Ends the exchange when the server says that the user is signed in.
  ///
  /// - Throws: `server_not_verified` where a server has not proved that it knows the password, as SCRAM wants.
  public func finish() throws(SASLError) {
    if case .scram(let scram) = state, !scram.isVerified { throw SCRAM.notVerified }
  }

  private static func bearer(_ token: String, _ credentials: SASLCredentials) -> [UInt8] {
    // RFC 7628, section 3.1: the user name as authorization identity, escaped as RFC 5801 says.
    var text = "n,a=\(SCRAM.escaped(credentials.user)),\u{1}"
    if !credentials.host.isEmpty { text += "host=\(credentials.host)\u{1}" }
    if credentials.port > 0 { text += "port=\(credentials.port)\u{1}" }
    return Array((text + "auth=Bearer \(token)\u{1}\u{1}").utf8)
  }

  private static func check(_ credentials: SASLCredentials) throws(SASLError) {
    let isName = { (text: String) in text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }
    let isSecret: Bool =
      switch credentials.secret {
      case .password(let password): !password.isEmpty && !password.utf8.contains(0)
      // RFC 6750, section 2.1, and what some services add: visible ASCII.
      case .token(let token): !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      }
    guard !credentials.user.isEmpty, isName(credentials.user), isName(credentials.authorizationIdentity) else {
      throw .unusable("user name", "Benutzername")
    }
    guard isSecret else { throw .unusable("password or token", "Passwort oder Token") }
  }
}

extension SASLError {
  static func unusable(_ english: String, _ german: String) -> SASLError {
    SASLError(
      .invalidCredentials,
      LocalizedText(
        "The \(english) is empty or contains a character that is not allowed there.",
        de: "\(german) ist leer oder enthält ein Zeichen, das dort nicht stehen darf."))
  }
}
