import Mail
import Testing

@Suite struct AuthenticationResultsTests {
  /// RFC 8601, appendix B.
  @Test func fieldsAreReadAsTheirRFCShowsThem() throws {
    #expect(AuthenticationResults("example.org 1; none")?.results.isEmpty == true)
    let several = try #require(
      AuthenticationResults(
        """
        example.com; auth=pass (cram-md5; "x" (y)) smtp.auth=sender@example.net;
         spf = pass smtp.mailfrom=example.net; dkim/1=pass reason="good; signature"
         header.d=Example.com header.b="AbC/x="
        """))
    #expect(several.authenticator == "example.com")
    #expect(several.results.map(\.method) == ["auth", "spf", "dkim"])
    #expect(several.results.map(\.value) == ["pass", "pass", "pass"])
    #expect(
      several.results.last?.properties == [
        "reason": "good; signature", "header.d": "Example.com", "header.b": "AbC/x=",
      ])
  }

  @Test(arguments: ["", ";", " ( only a comment ) ", "dkim=pass header.d=x", String(repeating: "a", count: 20_000)])
  func whatNamesNoServerIsNone(_ value: String) {
    #expect(AuthenticationResults(value) == nil)
  }

  @Test func signaturesTellWhatTheyCover() throws {
    let signature = try #require(
      DKIMSignature("v=1; a=rsa-sha256; d=Example.NET; s=Brisbane; h=From : To:\r\n List-Unsubscribe; b=dz d V\r\n y==")
    )
    #expect(signature.domain == "example.net" && signature.selector == "brisbane")
    #expect(signature.fields == ["from", "to", "list-unsubscribe"])
    #expect(signature.signature == "dzdVy==")
    #expect(DKIMSignature("v=1; h=from; b=x") == nil)
  }
}
