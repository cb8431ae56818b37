import Foundation
import Localization
import Networking
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import OAuth

/// A token endpoint in memory that rotates refresh tokens and takes each only once.
private final class RotatingServer: HTTPCaller {
  struct State {
    var current = 1
    var requests = 0
    var isAway = false
    var onRequest: (@Sendable () -> Void)?
  }
  let state = Mutex(State())

  func call(_ request: HTTPRequest) throws(OAuthError) -> HTTPAnswer {
    guard case .bytes(let bytes) = request.body else { throw OAuthError(.configuration, "no body") }
    let fields = FormBody.fields(Substring(String(decoding: bytes, as: UTF8.self)))
    return try state.withLock { (state) throws(OAuthError) in
      state.requests += 1
      state.onRequest?()
      guard !state.isAway else { throw OAuthError(.unavailable, "away") }
      guard fields.contains(where: { $0.name == "refresh_token" && $0.value == "r\(state.current)" }) else {
        return HTTPAnswer(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8))
      }
      state.current += 1
      let body = #"{"access_token":"a\#(state.current)","refresh_token":"r\#(state.current)","expires_in":3600}"#
      return HTTPAnswer(status: 200, body: Array(body.utf8))
    }
  }
}

@Suite("Token keeper", .timeLimit(.minutes(10)))
struct TokenKeeperTests {
  private let temporary: TemporaryFolder
  private let server = RotatingServer()

  init() throws {
    temporary = try TemporaryFolder()
  }

  private var folder: String { temporary.path }

  /// A keeper as another process would have it: with nothing in common but the files.
  private func keeper(now: Int64) throws -> TokenKeeper {
    let vault = Vault(path: folder + "/vault")
    let opened = OpenedVault(vault, keyring: VaultKeyring(environment: ["HOME": folder]))
    if !vault.exists, let key = try KeyFile(path: folder + "/.config/sous/vault.key").keys().first {
      try opened.create(key)
    }
    return TokenKeeper(
      AccountVault(opened),
      TokenKeeper.Surroundings(
        clientSecret: { _ in nil }, caller: { [server] _ in server }, now: { now }))
  }

  private func signedIn(now: Int64) throws -> TokenKeeper {
    _ = try KeyFile(path: folder + "/.config/sous/vault.key").create()
    let keeper = try keeper(now: now)
    try keeper.keep(.sample())
    return keeper
  }

  @Test func manyAtOnceRefreshOnce() async throws {
    _ = try signedIn(now: 3400)
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<12 {
        let keeper = try keeper(now: 3400)
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(with: Result { try keeper.accessToken(of: "work").text ?? "" })
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens == [String](repeating: "a2", count: 12))
    #expect(server.state.withLock { $0.requests } == 1)
    #expect(try keeper(now: 3400).vault.account("work")?.refreshToken == "r2")
  }

  @Test func tokenThatCouldNotBeWrittenIsNotLost() throws {
    let keeper = try signedIn(now: 3400)
    let lock = folder + "/vault.lock"
    // While the server answers, the vault becomes one that cannot be written: its lock leads elsewhere.
    server.state.withLock { state in
      state.onRequest = {
        _ = unlink(lock)
        _ = symlink("/nowhere", lock)
      }
    }
    #expect(try keeper.fresh("work").accessToken == "a2")
    #expect(try keeper.vault.account("work")?.refreshToken == "r1")
    server.state.withLock { $0.onRequest = nil }
    #expect(unlink(lock) == 0)
    #expect(try keeper.fresh("work").accessToken == "a2")
    let kept = try keeper.vault.account("work")
    #expect(kept?.refreshToken == "r2" && kept?.refreshing == nil)
    #expect(server.state.withLock { $0.requests } == 1)
  }

  @Test func slotIsFreeAfterAFailure() throws {
    _ = try signedIn(now: 0)
    server.state.withLock { $0.isAway = true }
    let error = #expect(throws: SecretError.self) { try keeper(now: 3600).accessToken(of: "work") }
    #expect(error?.code == .temporary)
    server.state.withLock { $0.isAway = false }
    #expect(try keeper(now: 3700).accessToken(of: "work").text == "a2")
  }

  @Test func refusedTokenSaysWhatToType() throws {
    _ = try signedIn(now: 0)
    server.state.withLock { $0.current = 7 }
    for _ in 0..<2 {
      let error = #expect(throws: SecretError.self) { try keeper(now: 3600).accessToken(of: "work") }
      #expect(error?.code == .signIn)
      #expect(error?.message.english.contains("sous auth login work") == true)
    }
    #expect(server.state.withLock { $0.requests } == 1)
  }

  @Test func forgottenAccountIsGone() throws {
    let keeper = try signedIn(now: 0)
    #expect(try keeper.forget("work") == nil)
    #expect(throws: OAuthError(.notSignedIn, "")) { try keeper.forget("work") }
    let error = #expect(throws: SecretError.self) { try keeper.accessToken(of: "work") }
    #expect(error?.code == .missing)
  }
}
