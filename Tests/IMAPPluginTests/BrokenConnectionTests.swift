import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import IMAPPlugin

/// The connection breaks anywhere in the course of a change: nothing is lost, nothing doubled.
@Suite(.enabled(if: DovecotServer.program != nil, "Dovecot is not installed"), .serialized, .timeLimit(.minutes(20)))
struct BrokenConnectionTests {
  enum Change: String, CaseIterable, Sendable {
    case move, copy, append, delete, flag
  }

  /// One message fewer to sign in with.
  private static let settings: JSONObject = ["auth": "plain"]

  private struct Case: Sendable {
    var source: String
    var target: String
    var uids: [JSONValue]

    func input(_ change: Change) -> JSONValue {
      switch change {
      case .move, .copy: ["folder": .string(source), "uids": .array(uids), "to": .string(target)]
      case .append: ["folder": .string(target), "to": ["x@example.org"], "subject": "neu", "text": "Text"]
      case .delete: ["folder": .string(source), "uids": .array(uids), "permanently": true]
      case .flag: ["folder": .string(source), "uids": .array(uids), "add": ["flagged", "kept"], "remove": ["seen"]]
      }
    }
  }

  /// What is to be found in the end: subjects in source and target.
  private static func expected(_ change: Change) -> (source: [String], target: [String]) {
    switch change {
    case .move: (["c"], ["a", "b", "z"])
    case .copy: (["a", "b", "c"], ["a", "b", "z"])
    case .append: (["a", "b", "c"], ["neu", "z"])
    case .delete: (["c"], ["z"])
    case .flag: (["a", "b", "c"], ["z"])
    }
  }

  /// Folders of its own for a case, filled from templates.
  private func prepare(_ account: TestAccount, _ number: Int) async throws -> Case {
    var prepared = Case(source: "S\(number)", target: "T\(number)", uids: [])
    for (template, folder) in [("Vorlage S", prepared.source), ("Vorlage T", prepared.target)] {
      let uids = try await account.uids(["folder": .string(template), "order": "oldest"])
      let copied = try await account.call(
        "mail.copy",
        ["folder": .string(template), "uids": .array(uids.map(JSONValue.string)), "to": .string(folder)])
      if folder == prepared.source { prepared.uids = Array((copied["uids"]?.array ?? []).prefix(2)) }
    }
    try #require(prepared.uids.count == 2)
    return prepared
  }

  /// Carries out a change whose connection is cut, then once more as the engine would, and looks at the folders.
  private func check(
    _ change: Change, _ number: Int, after count: Int, _ direction: CuttingProxy.Direction, _ account: TestAccount,
    _ server: DovecotServer, _ proxy: CuttingProxy
  ) async throws -> Bool {
    let prepared = try await prepare(account, number)
    let input = prepared.input(change)
    let key = "key-\(number)"
    proxy.allow(count, direction)
    let fragile = try TestAccount(server, user: account.user, host: account.host, via: proxy.port, Self.settings)
    var isWhole = true
    do {
      _ = try await fragile.call("mail.\(change.rawValue)", input, key: key)
    } catch let error as ActionError {
      isWhole = false
      #expect([.io, .timeout, .refused].contains(error.kind), "\(error)")
    }
    proxy.cut()
    let port = server.port
    account.host.connectStreams { _ in port }
    let sound = account
    if !isWhole {
      let verdict =
        change == .copy || change == .append
        ? try await sound.plugin.verify("mail.\(change.rawValue)", input, key: key)["verdict"] : "not_done"
      if verdict != "done" { _ = try await sound.call("mail.\(change.rawValue)", input, key: key, attempt: 2) }
    }
    let (source, target) = Self.expected(change)
    #expect(try await sound.subjects(prepared.source) == source, "\(change) cut after \(count) \(direction)")
    #expect(try await sound.subjects(prepared.target) == target, "\(change) cut after \(count) \(direction)")
    if change == .flag {
      let flagged = try await sound.uids(["folder": .string(prepared.source), "flagged": true, "order": "oldest"])
      #expect(flagged.map(JSONValue.string) == prepared.uids, "cut after \(count) \(direction)")
    }
    return isWhole
  }

  /// Whether to cut behind each byte of all commands: `SOUS_TEST_CUTS=all`, which takes minutes.
  private static let isThorough = ProcessInfo.processInfo.environment["SOUS_TEST_CUTS"] == "all"
  /// Every so many places one is cut at.
  private static let step = isThorough ? 1 : 5

  @Test(arguments: Change.allCases, [false, true])
  func changesSurviveCutsAtEveryCommand(_ change: Change, _ isBasic: Bool) async throws {
    let server =
      isBasic
      ? try DovecotServer("imap_capability = IMAP4rev1 UIDPLUS LITERAL+ NAMESPACE")
      : try #require(DovecotServer.shared)
    let proxy = try CuttingProxy(target: server.port)
    defer { proxy.close() }
    let account = try TestAccount(server, Self.settings)
    for subject in ["a", "b", "c"] { try await account.store(TestAccount.message(subject), in: "Vorlage S") }
    try await account.store(TestAccount.message("z"), in: "Vorlage T")
    #expect(try await check(change, 0, after: .max, .toServer, account, server, proxy))
    var number = 1
    var brokenOff = 0
    for direction in [CuttingProxy.Direction.toServer, .toClient] {
      // Where lines end, and in their middle.
      let recorded = proxy.passed(direction)
      let ends = recorded.indices.filter { recorded[$0] == 0x0A }.map { $0 + 1 }
      let middles = direction == .toServer ? zip([0] + ends, ends).map { ($0 + $1) / 2 } : []
      let isEachByte = Self.isThorough && direction == .toServer
      let places = isEachByte ? Array(1..<recorded.count) : (ends + middles).sorted().filter { $0 > 0 }
      for position in stride(from: number % Self.step, to: places.count, by: Self.step).map({ places[$0] }) {
        if try await !check(change, number, after: position, direction, account, server, proxy) { brokenOff += 1 }
        number += 1
      }
      if direction == .toServer {
        // The recording of the other direction is wanted whole.
        _ = try await check(change, 10_000, after: .max, .toClient, account, server, proxy)
      }
    }
    #expect(brokenOff > 20 / Self.step)
    if isBasic { server.stop() }
  }
}
