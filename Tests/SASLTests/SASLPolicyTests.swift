import Localization
import Testing

@testable import SASL

struct SASLPolicyTests {
  private let password = SASLCredentials(user: "a", secret: .password("x"))
  private let token = SASLCredentials(user: "a", secret: .token("x"))

  @Test(arguments: [
    (["LOGIN", "PLAIN"], SASLMechanism.plain), (["login"], .login), (["PLAIN", "SCRAM-SHA-1"], .scramSHA1),
    (["PLAIN", "SCRAM-SHA-1", "scram-sha-256", "LOGIN"], .scramSHA256), (["XOAUTH2", "PLAIN"], .plain),
    (["NTLM", "GSSAPI", "LOGIN"], .login),
  ])
  func strongestIsChosen(_ offered: [String], _ expected: SASLMechanism) throws {
    #expect(try SASLPolicy(isEncrypted: true).mechanism(offered: offered, for: password) == expected)
  }

  @Test func tokenGoesByMechanismsForTokens() throws {
    let policy = SASLPolicy(isEncrypted: true)
    #expect(try policy.mechanism(offered: ["PLAIN", "XOAUTH2", "OAUTHBEARER"], for: token) == .oauthBearer)
    #expect(try policy.mechanism(offered: ["PLAIN", "XOAUTH2"], for: token) == .xoauth2)
    #expect(throws: SASLError(.noMechanism, LocalizedText(verbatim: ""))) {
      try policy.mechanism(offered: ["PLAIN", "SCRAM-SHA-256"], for: token)
    }
  }

  @Test func passwordDoesNotCrossAnUnencryptedConnection() throws {
    let policy = SASLPolicy(isEncrypted: false)
    for (credentials, offered) in [(password, ["PLAIN", "LOGIN"]), (token, ["XOAUTH2", "OAUTHBEARER"])] {
      #expect(throws: SASLError(.unencrypted, LocalizedText(verbatim: ""))) {
        try policy.mechanism(offered: offered, for: credentials)
      }
    }
    #expect(try policy.mechanism(offered: ["PLAIN", "SCRAM-SHA-1"], for: password) == .scramSHA1)
    let written = SASLPolicy(isEncrypted: false, allowsUnencrypted: true)
    #expect(try written.mechanism(offered: ["PLAIN"], for: password) == .plain)
  }

  @Test func settingsNarrowTheChoice() throws {
    let policy = SASLPolicy(isEncrypted: true, allowed: [.login])
    #expect(try policy.mechanism(offered: ["PLAIN", "LOGIN", "SCRAM-SHA-256"], for: password) == .login)
    #expect(throws: SASLError(.noMechanism, LocalizedText(verbatim: ""))) {
      try policy.mechanism(offered: ["PLAIN"], for: password)
    }
  }

  @Test func nothingOfferedIsSaid() {
    #expect(throws: SASLError(.noMechanism, LocalizedText(verbatim: ""))) {
      try SASLPolicy(isEncrypted: true).mechanism(offered: [], for: password)
    }
  }
}
