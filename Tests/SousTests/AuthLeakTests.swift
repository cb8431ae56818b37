import Expressions
import FixturePlugins
import Foundation
import LoopbackPorts
import TestSupport
import Testing

@testable import OAuth

/// Gives tokens to a plugin that tells them in every way it has, and looks for them everywhere.
@Suite(
  .enabled(if: AuthorizationServer.isGlewlwydInstalled, "apt-get install glewlwyd installs what this talks to"),
  .timeLimit(.minutes(15)))
struct AuthLeakTests {
  let server: AuthorizationServer
  let place: AuthPlace

  init() throws {
    let port = try LoopbackPort.free()
    server = try .glewlwyd(redirect: "http://127.0.0.1:\(port)/")
    place = try AuthPlace(
      """
      auth:
        work:
          issuer: \(server.address)/api/oidc
          client_id: sous-test
          client_secret: { secret: { file: client } }
          scopes: [openid, email]
          redirect_port: \(port)
      providers:
        leaky: { plugin: \(try FixtureLibrary.leaky()), isolation: process, token: { oauth: work } }
      """)
  }

  /// What must not be anywhere: the tokens, pieces of them, and their Base64.
  private func traces() throws -> [String] {
    let account = try #require(try place.vault.account("work"))
    let tokens = [account.accessToken, try #require(account.refreshToken), "client-secret-of-the-test"]
    return tokens.flatMap { token in
      let piece = String(token.suffix(60).prefix(40))
      return [token, piece, Data(token.utf8).base64EncodedString()]
    }
  }

  private func found(_ traces: [String], in data: Data) -> Bool {
    traces.contains { data.range(of: Data($0.utf8)) != nil }
  }

  @Test func tokensAreInNoLogDatabaseErrorOrArgument() throws {
    defer { place.sous.remove() }
    let login = try place.start("auth", "login", "work", "--no-browser", "--key-file", "--json")
    _ = try server.person("approve", try login.url())
    var outcomes = [login.end()]
    #expect(outcomes[0].status == 0, "\(outcomes[0].errors)")
    var secrets = try traces()
    var told = ""
    for way in ["log", "fail", "answer", "deltas"] {
      let recipe = try place.sous.write(
        "\(way).yaml",
        """
        steps:
          - { id: tell, uses: leaky.\(way), provider: leaky, retry: { attempts: 1 }, on_error: continue }
        outputs: { told: "{{ steps.tell.output }}" }
        """)
      outcomes.append(try place.sous("run", recipe, "--json"))
      outcomes.append(try place.sous("show", "last", "--json"))
      outcomes.append(try place.sous("logs", "last", "--json"))
      told += outcomes.suffix(3).map(\.output).joined()
      if way == "fail" {
        #expect(try place.sous("auth", "status", "--refresh").status == 0)
        secrets += try traces()
      }
    }
    // The plugin had the token, and told it.
    #expect(told.contains("***"))
    outcomes.append(try place.sous("auth", "list", "--json"))
    outcomes.append(try place.sous("auth", "status", "--json"))
    outcomes.append(try place.sous("secrets", "list", "--json"))
    outcomes.append(try place.sous("export"))
    try place.age("work")
    try checkProcesses(secrets)
    secrets += try traces()
    outcomes.append(try place.sous("auth", "logout", "work", "--json"))
    outcomes.append(try place.sous("auth", "status", "--json"))
    for outcome in outcomes {
      #expect(!found(secrets, in: Data(outcome.output.utf8)), "\(outcome.output.prefix(200))")
      #expect(!found(secrets, in: Data(outcome.errors.utf8)), "\(outcome.errors.prefix(200))")
    }
    let state = place.sous.folder + "/.sous"
    let names = try FileManager.default.contentsOfDirectory(atPath: state)
    #expect(names.contains("sous.db") && names.contains("vault"))
    for name in names {
      let data = FileManager.default.contents(atPath: state + "/" + name) ?? Data()
      #expect(!found(secrets, in: data), "\(name)")
    }
  }

  /// Looks at the arguments and the environment of every process while a run with the token goes on.
  private func checkProcesses(_ secrets: [String]) throws {
    let go = place.sous.folder + "/go"
    let recipe = try place.sous.write(
      "wait.yaml", "steps:\n  - { id: wait, uses: leaky.wait, provider: leaky, with: { until: \(go) } }\n")
    let run = try place.start("run", recipe, "--json")
    defer {
      _ = FileManager.default.createFile(atPath: go, contents: nil)
      #expect(run.end().status == 0)
    }
    try eventuallyBlocking(every: .milliseconds(20)) {
      let log = try place.sous("show", "last", "--json")
      return log.status == 0 && log.output.contains("\"running\"")
    }
    let all = try traces() + secrets
    for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
      for file in ["cmdline", "environ"] {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/\(file)") else { continue }
        #expect(!found(all, in: data), "\(file) of \(process)")
      }
    }
  }
}
