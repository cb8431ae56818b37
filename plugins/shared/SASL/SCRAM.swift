internal import FoundationEssentials
import Localization

/// The client's side of SCRAM (RFC 5802; RFC 7677 for SHA-256), without channel binding.
struct SCRAM: Sendable {
  /// The permitted iteration counts of a server. Fewer make a stolen exchange cheap to guess from (RFC 7677, section 4); more
  /// only burn this machine's time: a million take about half a second.
  static let iterations = 4096...1_000_000
  /// The longest message of a server, in bytes.
  static let longestMessage = 8192

  private enum Stage: Sendable {
    case first
    case final(serverSignature: [UInt8])
    case over
  }

  private let hash: SASLCryptography.Hash
  private let password: [UInt8]
  private let nonce: String
  private let header: String
  private let clientFirstBare: String
  private var stage = Stage.first
  /// Whether the server has proved that it knows the password.
  private(set) var isVerified = false

  /// The client's first message.
  var clientFirst: [UInt8] { Array((header + clientFirstBare).utf8) }

  init(
    _ hash: SASLCryptography.Hash, user: String, password: String, authorizationIdentity: String, nonce: String
  ) throws(SASLError) {
    guard let user = SASLPrep.prepared(user) else { throw .unusable("user name", "Benutzername") }
    guard let password = SASLPrep.prepared(password) else { throw .unusable("password", "Passwort") }
    guard !nonce.isEmpty, nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2C }) else {
      throw .unusable("nonce", "Nonce")
    }
    self.hash = hash
    self.password = Array(password.utf8)
    self.nonce = nonce
    header = authorizationIdentity.isEmpty ? "n,," : "n,a=\(Self.escaped(authorizationIdentity)),"
    clientFirstBare = "n=\(Self.escaped(user)),r=\(nonce)"
  }

  /// A name in which `,` and `=` are said as RFC 5802, section 5.1 wants.
  static func escaped(_ name: String) -> String {
    name.replacing("=", with: "=3D").replacing(",", with: "=2C")
  }

  mutating func respond(to challenge: [UInt8]) throws(SASLError) -> [UInt8] {
    guard challenge.count <= Self.longestMessage, let message = String(validating: challenge, as: UTF8.self) else {
      throw .malformed("too long, or no text", "zu lang, oder kein Text")
    }
    switch stage {
    case .first: return try proof(serverFirst: message)
    case .final(let signature):
      stage = .over
      try verify(serverFinal: message, signature)
      return []
    case .over: throw .malformed("a question more than it has", "eine Frage mehr, als es hat")
    }
  }

  private mutating func proof(serverFirst: String) throws(SASLError) -> [UInt8] {
    // The order is fixed. 'm=' would be an extension that has to be understood.
    let fields = serverFirst.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count >= 3, let combined = Self.value("r", fields[0]), let salt = Self.value("s", fields[1]),
      let count = Self.value("i", fields[2])
    else { throw Self.unexpected(serverFirst) }
    guard combined.hasPrefix(nonce), combined.utf8.count > nonce.utf8.count else {
      throw .malformed("it does not repeat the nonce", "sie wiederholt die Nonce nicht")
    }
    guard let saltBytes = Data(base64Encoded: String(salt)), !saltBytes.isEmpty else {
      throw .malformed("the salt is not Base64", "das Salz ist kein Base64")
    }
    guard let iterations = Int(count), Self.iterations.contains(iterations) else {
      throw .malformed(
        "\(count.prefix(20)) rounds, not between 4096 and 1000000", "\(count.prefix(20)) Runden, nicht 4096 bis 1000000"
      )
    }

    let clientFinalBare = "c=\(Data(header.utf8).base64EncodedString()),r=\(combined)"
    let authMessage = Array("\(clientFirstBare),\(serverFirst),\(clientFinalBare)".utf8)
    let salted = try SASLCryptography.stretched(
      hash, password: password, salt: Array(saltBytes), iterations: iterations)
    let clientKey = try SASLCryptography.authenticationCode(hash, key: salted, Array("Client Key".utf8))
    let storedKey = try SASLCryptography.digest(hash, clientKey)
    let signature = try SASLCryptography.authenticationCode(hash, key: storedKey, authMessage)
    let serverKey = try SASLCryptography.authenticationCode(hash, key: salted, Array("Server Key".utf8))
    stage = .final(serverSignature: try SASLCryptography.authenticationCode(hash, key: serverKey, authMessage))
    let proof = Data(zip(clientKey, signature).map { $0 ^ $1 })
    return Array("\(clientFinalBare),p=\(proof.base64EncodedString())".utf8)
  }

  private mutating func verify(serverFinal: String, _ signature: [UInt8]) throws(SASLError) {
    let first = serverFinal.split(separator: ",", omittingEmptySubsequences: false).first ?? ""
    guard let value = Self.value("v", first) else { throw Self.unexpected(serverFinal) }
    guard let sent = Data(base64Encoded: String(value)), SASLCryptography.areEqual(Array(sent), signature) else {
      throw Self.notVerified
    }
    isVerified = true
  }

  private static func value(_ name: String, _ field: Substring) -> Substring? {
    field.hasPrefix("\(name)=") ? field.dropFirst(2) : nil
  }

  /// The error for any other message: a refusal (`e=`), or invalid data.
  private static func unexpected(_ message: String) -> SASLError {
    guard message.hasPrefix("e=") else {
      return .malformed("it is not as RFC 5802 has it", "sie ist nicht so, wie RFC 5802 sie hat")
    }
    let reason = message.dropFirst(2).prefix(100).filter { $0.isASCII && !$0.isNewline }
    return SASLError(
      .rejected,
      LocalizedText(
        "The server refuses the sign-in: \(reason).", de: "Der Server lehnt die Anmeldung ab: \(reason)."))
  }

  static var notVerified: SASLError {
    SASLError(
      .serverNotVerified,
      LocalizedText(
        "The server could not prove that it knows the password.",
        de: "Der Server konnte nicht beweisen, dass er das Passwort kennt."),
      advice: LocalizedText(
        "A third party may be between this machine and the server: check host and certificate.",
        de: "Vielleicht steht jemand zwischen diesem Rechner und dem Server: Host und Zertifikat prüfen."))
  }
}
