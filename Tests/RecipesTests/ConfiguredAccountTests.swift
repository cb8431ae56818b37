import Expressions
import Testing

@testable import RecipeModel
@testable import RecipeSyntax

@Suite("Accounts in sous.yaml")
struct ConfiguredAccountTests {
  private func parse(_ text: String) -> (configuration: Configuration, codes: [String]) {
    let (configuration, diagnostics) = Configuration.parse(SourceText(path: "sous.yaml", text: text))
    return (configuration, diagnostics.map(\.code.rawValue))
  }

  @Test func accountIsReadWhole() throws {
    let (configuration, codes) = parse(
      """
      auth:
        gmail: { service: google, address: me@gmail.com, client_id: id, client_secret: { secret: CLIENT } }
        work:
          issuer: https://id.example.com
          client_id: sous
          scopes: [openid, mail]
          token_endpoint: https://id.example.com/token
          redirect_port: 8400
          trust: { authorities: ca.pem }
      """)
    #expect(codes == [])
    #expect(configuration.accounts.map(\.name) == ["gmail", "work"])
    let gmail = try #require(configuration.account("gmail"))
    #expect(gmail.service == .google && gmail.address == "me@gmail.com" && gmail.clientSecret?.place == .name("CLIENT"))
    let work = try #require(configuration.account("work"))
    #expect(work.service == .custom && work.scopes == ["openid", "mail"] && work.redirectPort == 8400)
    #expect(work.endpoints == ["token_endpoint": "https://id.example.com/token"])
    #expect(work.trust.authorities == "ca.pem")
  }

  @Test(arguments: ["{ oauth: work }", "{ secret: { oauth: work } }"])
  func settingNamesAnAccount(_ setting: String) throws {
    let (configuration, codes) = parse("providers: { mail: { plugin: imap, token: \(setting) } }\n")
    #expect(codes == [])
    let secret = try #require(configuration.provider("mail")?.settings.secrets.first)
    #expect(secret.place == .account("work") && secret.name == "work")
    #expect(secret.document == .map(["oauth": .string("work")]))
  }

  @Test(arguments: [
    ("auth: { work: { service: yahoo } }\n", "invalid_value"), ("auth: { -x: {} }\n", "invalid_name"),
    ("auth: { work: { client_secret: hunter2 } }\n", "wrong_type"),
    ("auth: { work: { redirect_port: 70000 } }\n", "invalid_value"),
    ("auth: { work: { clientid: x } }\n", "unknown_key"),
    ("providers: { a: { plugin: x, token: { oauth: ../x } } }\n", "invalid_name"),
    ("providers: { a: { plugin: x, token: { oauth: [x] } } }\n", "wrong_type"),
  ])
  func mistakeIsTold(_ text: String, _ code: String) {
    #expect(parse(text).codes == [code])
  }
}
