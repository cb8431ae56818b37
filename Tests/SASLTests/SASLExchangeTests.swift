import Localization
import Testing

@testable import SASL

struct SASLExchangeTests {
  private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  /// RFC 5802, section 5, and RFC 7677, section 3: user 'user', password 'pencil'.
  private struct Vector: Sendable, CustomTestStringConvertible {
    let mechanism: SASLMechanism
    let nonce: String
    let clientFirst: String
    let serverFirst: String
    let clientFinal: String
    let serverFinal: String
    var testDescription: String { mechanism.rawValue }
  }

  private static let vectors = [
    Vector(
      mechanism: .scramSHA1, nonce: "fyko+d2lbbFgONRv9qkxdawL", clientFirst: "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL",
      serverFirst: "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096",
      clientFinal: "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
      serverFinal: "v=rmF9pqV8S7suAoZWja4dJRkFsKQ="),
    Vector(
      mechanism: .scramSHA256, nonce: "rOprNGfwEbeRWgbNEkqO", clientFirst: "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
      serverFirst: "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
      clientFinal:
        "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
      serverFinal: "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="),
  ]

  private func begin(_ vector: Vector, password: String = "pencil") throws -> SASLExchange {
    try SASLExchange(
      vector.mechanism, credentials: SASLCredentials(user: "user", secret: .password(password)), nonce: vector.nonce)
  }

  @Test(arguments: vectors)
  private func scramSaysWhatTheStandardSays(_ vector: Vector) throws {
    var exchange = try begin(vector)
    #expect(text(exchange.initialResponse) == vector.clientFirst)
    #expect(text(try exchange.respond(to: Array(vector.serverFirst.utf8))) == vector.clientFinal)
    #expect(throws: SASLError(.serverNotVerified, LocalizedText(verbatim: ""))) { try exchange.finish() }
    #expect(try exchange.respond(to: Array(vector.serverFinal.utf8)).isEmpty)
    try exchange.finish()
  }

  @Test(arguments: vectors)
  private func serverThatDoesNotKnowThePasswordIsNotBelieved(_ vector: Vector) throws {
    var exchange = try begin(vector, password: "another")
    _ = try exchange.respond(to: Array(vector.serverFirst.utf8))
    #expect(throws: SASLError(.serverNotVerified, LocalizedText(verbatim: ""))) {
      try exchange.respond(to: Array(vector.serverFinal.utf8))
    }
    #expect(throws: SASLError(.serverNotVerified, LocalizedText(verbatim: ""))) { try exchange.finish() }
  }

  @Test(arguments: [
    ("", "malformed_challenge"),
    ("r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "malformed_challenge"),
    ("r=anothernonce,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "malformed_challenge"),
    ("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4095", "malformed_challenge"),
    ("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1000001", "malformed_challenge"),
    ("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=99999999999999999999", "malformed_challenge"),
    ("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=-1", "malformed_challenge"),
    ("r=rOprNGfwEbeRWgbNEkqOx,s=***,i=4096", "malformed_challenge"),
    ("r=rOprNGfwEbeRWgbNEkqOx,s=,i=4096", "malformed_challenge"),
    ("m=ext,r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "malformed_challenge"),
    ("e=unknown-user", "rejected"),
  ])
  func badFirstMessageOfAServerIsRefused(_ message: String, _ code: String) throws {
    var exchange = try begin(Self.vectors[1])
    let error = #expect(throws: SASLError.self) { try exchange.respond(to: Array(message.utf8)) }
    #expect(error?.code.rawValue == code)
  }

  @Test func challengeThatIsTooLongOrNoTextIsRefused() throws {
    var exchange = try begin(Self.vectors[1])
    for challenge in [[UInt8](repeating: 0x72, count: 10_000), [0xFF, 0xFE]] {
      #expect(throws: SASLError(.malformedChallenge, LocalizedText(verbatim: ""))) {
        try exchange.respond(to: challenge)
      }
    }
  }

  @Test func namesAreEscaped() throws {
    let exchange = try SASLExchange(
      .scramSHA256,
      credentials: SASLCredentials(user: "a=b,c", secret: .password("x"), authorizationIdentity: "d,e"), nonce: "n")
    #expect(text(exchange.initialResponse) == "n,a=d=2Ce,n=a=3Db=2Cc,r=n")
  }

  @Test func twoExchangesHaveDifferentNonces() throws {
    let credentials = SASLCredentials(user: "user", secret: .password("x"))
    let first = try SASLExchange(.scramSHA256, credentials: credentials).initialResponse
    let second = try SASLExchange(.scramSHA256, credentials: credentials).initialResponse
    #expect(first != second)
  }

  /// RFC 4616, section 4: 'tim' with 'tanstaaftanstaaf', and 'Kurt' who acts as 'Ursel'.
  @Test func plainSaysWhatTheStandardSays() throws {
    let own = try SASLExchange(
      .plain, credentials: SASLCredentials(user: "tim", secret: .password("tanstaaftanstaaf")))
    #expect(text(own.initialResponse) == "\0tim\0tanstaaftanstaaf")
    let other = try SASLExchange(
      .plain,
      credentials: SASLCredentials(user: "Kurt", secret: .password("xipj3plmq"), authorizationIdentity: "Ursel"))
    #expect(text(other.initialResponse) == "Ursel\0Kurt\0xipj3plmq")
    try other.finish()
  }

  @Test func loginAnswersTwoQuestionsAndNoThird() throws {
    var exchange = try SASLExchange(.login, credentials: SASLCredentials(user: "tim", secret: .password("tan")))
    #expect(exchange.initialResponse == nil)
    #expect(text(try exchange.respond(to: Array("Username:".utf8))) == "tim")
    #expect(text(try exchange.respond(to: Array("Password:".utf8))) == "tan")
    #expect(throws: SASLError(.malformedChallenge, LocalizedText(verbatim: ""))) { try exchange.respond(to: []) }
  }

  /// RFC 7628, section 4.1, with its token.
  @Test func bearerTokenSaysWhatTheStandardSays() throws {
    var exchange = try SASLExchange(
      .oauthBearer,
      credentials: SASLCredentials(
        user: "user@example.com", secret: .token("vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg=="),
        host: "server.example.com", port: 143))
    let base64 =
      "bixhPXVzZXJAZXhhbXBsZS5jb20sAWhvc3Q9c2VydmVyLmV4YW1wbGUuY29tAXBvcnQ9MTQzAWF1dGg9QmVhcmVyI"
      + "HZGOWRmdDRxbVRjMk52YjNSbGNrQmhiSFJoZG1semRHRXVZMjl0Q2c9PQEB"
    #expect(SASLText.encoded(try #require(exchange.initialResponse)) == base64)
    let refusal = try SASLText.decoded(
      "eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIiwic2NvcGUiOiJleGFtcGxlX3Njb3BlIiwib3BlbmlkLWNvbmZpZ3VyYXRpb24iOiJodHRwczovL2"
        + "V4YW1wbGUuY29tLy53ZWxsLWtub3duL29wZW5pZC1jb25maWd1cmF0aW9uIn0=")
    #expect(SASLText.encoded(try exchange.respond(to: refusal)) == "AQ==")
    #expect(exchange.refusal?.contains("invalid_token") == true)
  }

  /// The example of Google's documentation of XOAUTH2.
  @Test func olderFormOfTheTokenSaysWhatItsMakerSays() throws {
    var exchange = try SASLExchange(
      .xoauth2,
      credentials: SASLCredentials(
        user: "someuser@example.com", secret: .token("ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg")))
    let base64 =
      "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNSbGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ=="
    #expect(SASLText.encoded(try #require(exchange.initialResponse)) == base64)
    #expect(try exchange.respond(to: Array(#"{"status":"401"}"#.utf8)).isEmpty)
    #expect(exchange.refusal == #"{"status":"401"}"#)
  }

  @Test(arguments: [
    ("", SASLCredentials.Secret.password("x"), SASLMechanism.plain), ("a\0b", .password("x"), .plain),
    ("a", .password("x\0y"), .plain), ("a", .password(""), .login), ("a\nb", .password("x"), .login),
    ("a", .token("x y"), .xoauth2), ("a", .token("x\u{1}auth=y"), .oauthBearer), ("a\u{1}", .token("x"), .xoauth2),
    ("a", .password("x\u{7}y"), .scramSHA256), ("a", .token("x"), .plain), ("a", .password("x"), .xoauth2),
  ])
  func unusableCredentialsAreRefused(
    _ user: String, _ secret: SASLCredentials.Secret, _ mechanism: SASLMechanism
  ) {
    #expect(throws: SASLError(.invalidCredentials, LocalizedText(verbatim: ""))) {
      try SASLExchange(mechanism, credentials: SASLCredentials(user: user, secret: secret))
    }
  }

  @Test func textOfChallengesIsBounded() throws {
    #expect(try SASLText.decoded(" dGVzdA== ") == Array("test".utf8))
    #expect(SASLText.encodedInitial([]) == "=")
    for text in ["%%%", String(repeating: "AAAA", count: 20_000)] {
      #expect(throws: SASLError(.malformedChallenge, LocalizedText(verbatim: ""))) { try SASLText.decoded(text) }
    }
  }
}
