import Expressions
import Foundation
import Localization
import LoopbackPorts
import OperatingSystem
import Secrets
import Testing

@testable import OAuth

/// A project with one account, and what tests do with it.
struct AuthPlace {
  let sous: SousProcess

  init(_ configuration: String, environment: [String: String] = [:]) throws {
    var sous = try SousProcess()
    sous.environment.merge(environment) { $1 }
    self.sous = sous
    try sous.write("sous.yaml", configuration)
    try sous.write("client", "client-secret-of-the-test\n")
    guard chmod(sous.folder + "/client", 0o600) == 0 else { throw POSIXError(.EPERM) }
  }

  /// The tokens as the vault has them.
  var vault: AccountVault {
    AccountVault(
      OpenedVault(Vault(path: sous.folder + "/.sous/vault"), keyring: VaultKeyring(environment: ["HOME": sous.folder])))
  }

  /// Lets the access token be one that ends at once.
  func age(_ account: String) throws {
    var found = try #require(try vault.account(account))
    found.obtained -= 7200
    found.expires = Int64(Date().timeIntervalSince1970) - 1
    try vault.write(found, at: 0)
  }

  /// A process of the program that goes on.
  final class Running {
    let process = Process()
    private let output: String
    private let errors: String

    init(_ sous: SousProcess, _ arguments: [String]) throws {
      output = sous.folder + "/.out-" + UUID().uuidString
      errors = sous.folder + "/.err-" + UUID().uuidString
      for path in [output, errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
      process.executableURL = URL(fileURLWithPath: SousProcess.executable)
      process.arguments = arguments
      process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
      process.environment = sous.environment
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle(forWritingAtPath: output)
      process.standardError = FileHandle(forWritingAtPath: errors)
      try process.run()
    }

    /// What it has said on standard error.
    var said: String { String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self) }

    /// Waits until it has said something that a function finds.
    func wait<Found>(_ find: (String) -> Found?) throws -> Found {
      for _ in 0..<6000 {
        if let found = find(said) { return found }
        guard process.isRunning else { break }
        Thread.sleep(forTimeInterval: 0.05)
      }
      throw AuthorizationServer.NotReady(output: said)
    }

    /// The URL that it wants to be visited.
    func url() throws -> String {
      try wait { said in
        guard said.hasSuffix("…\n") else { return nil }
        return said.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.first {
          $0.hasPrefix("http")
        }
      }
    }

    func end() -> SousProcess.Outcome {
      process.waitUntilExit()
      return SousProcess.Outcome(
        status: process.terminationStatus,
        output: String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self), errors: said)
    }
  }

  func start(_ arguments: String...) throws -> Running { try Running(sous, arguments) }

  /// The code of an error for machines.
  static func code(_ outcome: SousProcess.Outcome) -> String? {
    let last = outcome.errors.split(separator: "\n").last ?? ""
    return (try? Value(json: Array(last.utf8)))?["error"]?["code"]?.stringValue
  }
}

/// `sous auth` against Debian's glewlwyd, which takes each refresh token only once.
@Suite(
  .enabled(if: AuthorizationServer.isGlewlwydInstalled, "apt-get install glewlwyd installs what this talks to"),
  .timeLimit(.minutes(15)), .serialized)
struct AuthCommandTests {
  let port: Int
  let server: AuthorizationServer
  let place: AuthPlace

  init() throws {
    port = try LoopbackPort.free()
    server = try .glewlwyd(redirect: "http://127.0.0.1:\(port)/")
    place = try AuthPlace(Self.configuration(server, port))
  }

  private static func configuration(_ server: AuthorizationServer, _ port: Int, address: String = "ada@example.org")
    -> String
  {
    """
    auth:
      work:
        issuer: \(server.address)/api/oidc
        address: \(address)
        client_id: sous-test
        client_secret: { secret: { file: client } }
        scopes: [openid, email]
        redirect_port: \(port)
    providers:
      mail: { plugin: maildir, path: mailbox, token: { oauth: work } }
    """
  }

  /// Signs in by the browser.
  @discardableResult
  private func signIn() throws -> SousProcess.Outcome {
    let login = try place.start("auth", "login", "work", "--no-browser", "--key-file", "--json")
    _ = try server.person("approve", try login.url())
    let outcome = login.end()
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome
  }

  @Test func signsInByTheBrowserAndOut() throws {
    defer { place.sous.remove() }
    let login = try place.start("auth", "login", "work", "--no-browser", "--key-file", "--json")
    let url = try login.url()
    #expect(url.contains("code_challenge_method=S256") && url.contains("login_hint=ada%40example.org"))
    // What does not belong to the sign-in does not end it.
    let foreign = try place.sous.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import sys, urllib.request, urllib.error
        for path in ["favicon.ico", "?code=x&state=y", "?error=access_denied"]:
            try: print(urllib.request.urlopen(sys.argv[1] + path).status)
            except urllib.error.HTTPError as error: print(error.code)
        """, "http://127.0.0.1:\(port)/",
      ])
    #expect(foreign.output == "404\n400\n400\n")
    let page = try server.person("approve", url)
    #expect(page.contains("You may close this window") && page.contains("Sie können dieses Fenster schließen"))
    let outcome = login.end()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["address"]?.stringValue == "ada@example.org")
    #expect(try outcome.json["state"]?.stringValue == "signed_in")

    let list = try place.sous("auth", "list", "--json").json.listValue?.first
    #expect(list?["uses"] == ["mail.token"] && list?["state"]?.stringValue == "signed_in")
    #expect(try place.sous("auth", "status").status == 0)
    #expect(try place.sous("secrets", "test").status == 0)
    let given = server.tokensGiven
    #expect(try place.sous("auth", "status", "work", "--check").status == 0)
    #expect(server.tokensGiven == given)
    #expect(try place.sous("auth", "status", "work", "--refresh").status == 0)
    #expect(server.tokensGiven == given + 1)

    let copy = try Data(contentsOf: URL(fileURLWithPath: place.sous.folder + "/.sous/vault"))
    let logout = try place.sous("auth", "logout", "work", "--json")
    #expect(logout.status == 0, "\(logout.errors)")
    #expect(try logout.json["server_problem"] == .null)
    #expect(try place.sous("auth", "status").status == 3)
    let needed = try place.sous("secrets", "test")
    #expect(needed.status == 3 && needed.output.contains("sous auth login work"))
    #expect(AuthPlace.code(try place.sous("auth", "logout", "work", "--json")) == "not_signed_in")

    // The server has taken the token back: who still has it is told what to type.
    try copy.write(to: URL(fileURLWithPath: place.sous.folder + "/.sous/vault"))
    let refused = try place.sous("auth", "status", "--refresh")
    #expect(refused.status == 3 && refused.output.contains("sous auth login work"), "\(refused.output)")
  }

  @Test func signsInOnAnotherDevice() throws {
    defer { place.sous.remove() }
    let login = try place.start("auth", "login", "work", "--device", "--key-file", "--json")
    let code = try login.wait { said in
      said.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .first { $0.wholeMatch(of: /[A-Z0-9]{4}-[A-Z0-9]{4}/) != nil }
    }
    _ = try server.person("device", server.address, code)
    let outcome = login.end()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["address"]?.stringValue == "ada@example.org")
    #expect(try place.sous("auth", "status", "work", "--refresh").status == 0)
  }

  @Test func otherAddressIsRefused() throws {
    defer { place.sous.remove() }
    try place.sous.write("sous.yaml", Self.configuration(server, port, address: "bob@example.org"))
    let login = try place.start("auth", "login", "work", "--no-browser", "--key-file", "--json")
    _ = try server.person("approve", try login.url())
    let outcome = login.end()
    #expect(outcome.status == 3 && AuthPlace.code(outcome) == "address_mismatch", "\(outcome.errors)")
    #expect(outcome.errors.contains("bob@example.org") && outcome.errors.contains("ada@example.org"))
    #expect(try place.vault.account("work") == nil)
  }

  /// Three processes want a token that has ended, many times over: the server is asked once each time, and never with a
  /// refresh token that it has taken already, which would end the sign-in.
  @Test func threeProcessesRefreshOnce() throws {
    defer { place.sous.remove() }
    try signIn()
    for round in 1...6 {
      try place.age("work")
      let given = server.tokensGiven
      // Nobody begins before all three are waiting for the account's lock.
      let lock = place.sous.folder + "/.sous/vault.oauth.work.lock"
      let held = try #require(try ProtectedFile.lock(lock, patience: 60))
      let processes = try (0..<3).map { _ in try place.start("auth", "status", "work", "--check", "--json") }
      for process in processes { try Self.waitUntilOpen(lock, by: process) }
      held.release()
      for process in processes {
        let outcome = process.end()
        #expect(outcome.status == 0, "round \(round): \(outcome.output) \(outcome.errors)")
      }
      #expect(server.tokensGiven == given + 1, "round \(round)")
    }
    #expect(!server.text("glewlwyd.log").contains("Token invalid"))
  }

  private static func waitUntilOpen(_ path: String, by running: AuthPlace.Running) throws {
    let folder = "/proc/\(running.process.processIdentifier)/fd"
    for _ in 0..<6000 {
      let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let files = descriptors.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)
      }
      if files.contains(where: { ($0 as NSString).lastPathComponent == (path as NSString).lastPathComponent }) {
        return
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw AuthorizationServer.NotReady(output: "it does not wait: \(running.said)")
  }

  @Test func killedRefreshLosesNothing() throws {
    defer { place.sous.remove() }
    try signIn()
    try place.age("work")
    // Whoever dies while it waits, or while the note is written, leaves a token that counts and a lock that is free.
    let lock = place.sous.folder + "/.sous/vault.oauth.work.lock"
    let held = try #require(try ProtectedFile.lock(lock, patience: 60))
    let victim = try place.start("auth", "status", "work", "--check")
    try Self.waitUntilOpen(lock, by: victim)
    kill(victim.process.processIdentifier, SIGKILL)
    _ = victim.end()
    held.release()
    let outcome = try place.sous("auth", "status", "work", "--check")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }
}

/// `sous auth` against PyPI's oidc-provider-mock.
@Suite(
  .enabled(if: AuthorizationServer.isMockInstalled, "Scripts/install-peers.sh installs what this talks to"),
  .timeLimit(.minutes(15)), .serialized)
struct AuthMockTests {
  let server: AuthorizationServer
  let place: AuthPlace

  init() throws {
    server = try .mock()
    place = try AuthPlace("providers: {}\n", environment: ["CLIENT": "client-secret-of-the-test"])
  }

  private func start(_ more: String...) throws -> AuthPlace.Running {
    try AuthPlace.Running(
      place.sous,
      [
        "auth", "login", "custom", "--issuer", server.address, "--client-id", "sous", "--client-secret", "CLIENT",
        "--scope", "openid", "--scope",
        "email", "--no-browser", "--key-file", "--json",
      ] + more)
  }

  @Test func signsInByOptionsAlone() throws {
    defer { place.sous.remove() }
    let login = try start("--account", "home")
    _ = try server.person("submit", try login.url(), "sub=ada")
    let outcome = login.end()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["name"]?.stringValue == "home")
    #expect(try outcome.json["address"]?.stringValue == "ada@example.org")
    try place.age("home")
    let check = try place.sous("auth", "status", "home", "--check")
    #expect(check.status == 0, "\(check.output)")
    #expect(try place.vault.account("home")?.isFresh(at: Int64(Date().timeIntervalSince1970)) == true)
  }

  @Test func refusedGrantSaysWhatToType() throws {
    defer { place.sous.remove() }
    let login = try start()
    _ = try server.person("submit", try login.url(), "sub=ada")
    #expect(login.end().status == 0)
    var account = try #require(try place.vault.account("custom"))
    account.refreshToken = "another-one"
    try place.vault.write(account, at: 0)
    try place.age("custom")
    let refused = try place.sous("auth", "status", "custom", "--check", "--json")
    #expect(refused.status == 3)
    let error = try refused.json.listValue?.first?["error"]
    #expect(error?["code"]?.stringValue == "sign_in_again")
    let message = error?["message"]?.stringValue ?? ""
    #expect(message.contains("invalid_grant") && message.contains("sous auth login custom"), "\(message)")
    #expect(!refused.output.contains("another-one"))
    let german = try place.sous("auth", "status", "custom", "--check", "--lang", "de")
    #expect(german.output.contains("gilt nicht mehr") && german.output.contains("invalid_grant"), "\(german.output)")
  }

  @Test func browserThatStaysAwayEndsTheSignIn() throws {
    defer { place.sous.remove() }
    let outcome = try start("--timeout", "1").end()
    #expect(outcome.status == 3 && AuthPlace.code(outcome) == "auth_timed_out", "\(outcome.errors)")
  }

  @Test func deviceFlowThatTheServerHasNotIsRefused() throws {
    defer { place.sous.remove() }
    let outcome = try start("--device").end()
    #expect(outcome.status == 3 && AuthPlace.code(outcome) == "auth_configuration", "\(outcome.errors)")
    #expect(outcome.errors.contains("device_authorization_endpoint"))
  }
}
