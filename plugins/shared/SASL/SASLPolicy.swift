import Localization

/// Which mechanisms may be used on a connection.
public struct SASLPolicy: Sendable {
  /// Whether TLS is established.
  public var isEncrypted: Bool
  /// Whether the settings say that the secret may cross an unencrypted connection: `tls: none`.
  public var allowsUnencrypted: Bool
  /// The only mechanisms that the settings allow; `nil` for all.
  public var allowed: [SASLMechanism]?

  /// Creates a policy.
  public init(isEncrypted: Bool, allowsUnencrypted: Bool = false, allowed: [SASLMechanism]? = nil) {
    self.isEncrypted = isEncrypted
    self.allowsUnencrypted = allowsUnencrypted
    self.allowed = allowed
  }

  /// Chooses the strongest mechanism that the server offers and that may be used.
  ///
  /// SCRAM comes before PLAIN and LOGIN. With a token, OAUTHBEARER comes before XOAUTH2. The order is fixed, so that a
  /// server's own order cannot weaken it.
  ///
  /// - Parameters:
  ///   - offered: The names that the server offers, in any case.
  ///   - credentials: The credentials to sign in with.
  /// - Throws: `no_mechanism`; `unencrypted` where only the missing encryption is in the way.
  public func mechanism(
    offered: [String], for credentials: SASLCredentials
  ) throws(SASLError) -> SASLMechanism {
    let known = offered.compactMap { SASLMechanism(name: $0) }
    let fitting = SASLMechanism.strongestFirst.filter { mechanism in
      known.contains(mechanism) && mechanism.takesToken == credentials.isToken
        && (allowed?.contains(mechanism) ?? true)
    }
    if let found = fitting.first(where: { isEncrypted || allowsUnencrypted || !$0.revealsSecret }) { return found }
    guard fitting.isEmpty else {
      throw SASLError(
        .unencrypted,
        LocalizedText(
          "The connection is not encrypted, and the server takes the password only as it is.",
          de: "Die Verbindung ist nicht verschlüsselt, und der Server nimmt das Passwort nur offen."),
        advice: LocalizedText(
          "Use 'tls: implicit' or 'tls: starttls'. Write 'tls: none' only for a server on the same machine.",
          de: "'tls: implicit' oder 'tls: starttls' verwenden. 'tls: none' nur für einen Server auf demselben Rechner.")
      )
    }
    throw noMechanism(offered, credentials)
  }

  private func noMechanism(_ offered: [String], _ credentials: SASLCredentials) -> SASLError {
    let names = offered.prefix(20).map { String($0.prefix(30).filter { $0.isASCII && !$0.isWhitespace }) }
    let list = names.isEmpty ? "–" : names.joined(separator: ", ")
    let advice =
      credentials.isToken
      ? LocalizedText(
        "The server takes no token: give a password or an app password.",
        de: "Der Server nimmt kein Token: ein Passwort oder App-Passwort angeben.")
      : LocalizedText(
        "Many large services take an OAuth token or an app password only; their help pages say how to get one.",
        de: "Viele große Dienste nehmen nur ein OAuth-Token oder ein App-Passwort; ihre Hilfeseiten sagen, woher.")
    return SASLError(
      .noMechanism,
      LocalizedText(
        "The server offers no way to sign in that fits these settings. It offers: \(list).",
        de: "Der Server bietet keine Anmeldung, die zu diesen Einstellungen passt. Er bietet: \(list)."),
      advice: advice)
  }
}

extension SASLMechanism {
  static let strongestFirst: [SASLMechanism] = [.scramSHA256, .scramSHA1, .plain, .login, .oauthBearer, .xoauth2]
}
