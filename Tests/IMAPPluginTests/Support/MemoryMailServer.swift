import PluginKit
import PluginKitTesting
import Synchronization

/// An IMAP server in memory with one folder that only grows, whose connections a test can cut wherever it likes.
final class MemoryMailServer: Sendable {
  private enum News: Sendable {
    case exists
    case cut
  }

  private struct State {
    var subjects: [String] = []
    /// What comes while messages are fetched.
    var late: [String] = []
    var commands: [String] = []
    var connections: [Int: AsyncStream<News>.Continuation] = [:]
    var idling: Set<Int> = []
    /// How many messages each connection knows of.
    var told: [Int: Int] = [:]
    var last = 0
    /// After so many further lines the connection breaks that the last of them came over.
    var linesLeft: Int?
    var cuts = 0
  }

  private let state = Mutex(State())
  /// What the Message-IDs end with.
  private let domain: String
  private let capabilities: String

  /// - Parameters:
  ///   - domain: What the Message-IDs end with.
  ///   - extensions: What it can do beside the usual.
  init(domain: String = "example.org", extensions: String = "") {
    self.domain = domain
    capabilities = "CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR IDLE" + (extensions.isEmpty ? "" : " " + extensions)
  }

  /// The commands that came, without their tags.
  var commands: [String] { state.withLock { $0.commands } }

  /// How many connections were cut.
  var cuts: Int { state.withLock { $0.cuts } }

  /// Whether somebody waits for news.
  var isIdling: Bool { state.withLock { !$0.idling.isEmpty } }

  /// Puts a message into the folder.
  func deliver(_ subject: String) {
    let connections = state.withLock { state in
      state.subjects.append(subject)
      return state.connections
    }
    for connection in connections.values { connection.yield(.exists) }
  }

  /// Puts a message into the folder while somebody fetches others, and says so at that moment.
  func deliverDuringFetch(_ subject: String) { state.withLock { $0.late.append(subject) } }

  /// Cuts what stands.
  func cut() {
    let connections = state.withLock { state in
      state.cuts += state.connections.count
      return state.connections
    }
    for connection in connections.values { connection.yield(.cut) }
  }

  /// Cuts the connection over which the line comes that is the next but so many.
  func cut(afterLines count: Int) { state.withLock { $0.linesLeft = count } }

  /// Plays the server on one connection.
  func serve(_ peer: ScriptedPeer) async throws {
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let number = state.withLock { state in
      state.last += 1
      state.connections[state.last] = continuation
      return state.last
    }
    defer {
      state.withLock { state in
        state.connections[number] = nil
        state.idling.remove(number)
      }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await self.answer(peer, number) }
      group.addTask {
        for await event in news {
          guard case .exists = event else { return }
          if self.state.withLock({ $0.idling.contains(number) }) { try? await peer.send(self.existing(number)) }
        }
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// How many messages there are, where the connection does not know that yet.
  private func existing(_ number: Int) -> String {
    state.withLock { state in
      let count = state.subjects.count
      guard state.told.updateValue(count, forKey: number) != count else { return "" }
      return "* \(count) EXISTS\r\n"
    }
  }

  /// Whether the line may be answered, or is the one that the connection breaks with.
  private func passes() -> Bool {
    state.withLock { state in
      guard let left = state.linesLeft else { return true }
      state.linesLeft = left > 0 ? left - 1 : nil
      if left == 0 { state.cuts += 1 }
      return left > 0
    }
  }

  private func answer(_ peer: ScriptedPeer, _ number: Int) async throws {
    try await peer.send("* OK [\(capabilities)] ready\r\n")
    while let line = try await peer.readLine() {
      guard passes() else { return }
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let tag = parts[0]
      let command = parts.count > 1 ? parts[1] : ""
      state.withLock { $0.commands.append(command) }
      if command.hasPrefix("NOTIFY"), capabilities.hasSuffix("REFUSING") {
        try await peer.send("\(tag) BAD not that\r\n")
      } else if command.hasPrefix("AUTHENTICATE") {
        try await peer.send("\(tag) OK [\(capabilities)] in\r\n")
      } else if command == "CAPABILITY" {
        try await peer.send("* \(capabilities)\r\n\(tag) OK done\r\n")
      } else if command.hasPrefix("EXAMINE") {
        let next = state.withLock { $0.subjects.count } + 1
        try await peer.send(
          existing(number) + "* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT \(next)] x\r\n\(tag) OK [READ-ONLY] open\r\n")
      } else if command == "IDLE" {
        try await idle(peer, tag, number)
      } else if command.hasPrefix("UID SEARCH UID "), let first = Int(command.dropFirst(15).prefix { $0 != ":" }) {
        let uids = (0..<state.withLock { $0.subjects.count }).filter { $0 + 1 >= first }.map { " \($0 + 1)" }.joined()
        try await peer.send("* SEARCH\(uids)\r\n\(tag) OK done\r\n")
      } else if command.hasPrefix("UID SEARCH ") {
        let uids = (0..<state.withLock { $0.subjects.count }).map { " \($0 + 1)" }.joined()
        try await peer.send("* SEARCH\(uids)\r\n\(tag) OK done\r\n")
      } else if command.hasPrefix("UID FETCH ") {
        let text = fetched(command)
        state.withLock { state in
          state.subjects += state.late
          state.late = []
        }
        try await peer.send(text + existing(number) + "\(tag) OK done\r\n")
      } else {
        try await peer.send(existing(number) + "\(tag) OK done\r\n")
      }
    }
  }

  private func idle(_ peer: ScriptedPeer, _ tag: String, _ number: Int) async throws {
    _ = state.withLock { $0.idling.insert(number) }
    try await peer.send("+ idling\r\n" + existing(number))
    defer { _ = state.withLock { $0.idling.remove(number) } }
    let line = try await peer.readLine()
    guard line == "DONE", passes() else { throw ActionError(.io, "The connection was cut.") }
    try await peer.send("\(tag) OK done\r\n")
  }

  private func fetched(_ command: String) -> String {
    let set = command.dropFirst(10).prefix { $0 != " " }
    let bounds = set.split(separator: ":").compactMap { Int($0) }
    guard let first = bounds.first, let last = bounds.last else { return "" }
    let subjects = state.withLock { $0.subjects }
    var text = ""
    for uid in first...last where uid <= subjects.count {
      let isSubject = command.contains("SUBJECT")
      let name = isSubject ? "SUBJECT" : "MESSAGE-ID"
      let header = isSubject ? "Subject: \(subjects[uid - 1])\r\n\r\n" : "Message-ID: <\(uid)@\(domain)>\r\n\r\n"
      text +=
        "* \(uid) FETCH (UID \(uid) RFC822.SIZE 100 INTERNALDATE \"01-Jul-2025 10:00:00 +0000\" "
        + "BODY[HEADER.FIELDS (\(name))] {\(header.utf8.count)}\r\n\(header))\r\n"
    }
    return text
  }
}
