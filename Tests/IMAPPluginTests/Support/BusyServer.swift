import PluginKit
import PluginKitTesting
import Synchronization

/// An IMAP server that takes a message, loses the connection, and has it in the folder only after it was looked for some
/// times.
final class BusyServer: Sendable {
  private struct State {
    var looksLeft: Int
    var messageID: String?
  }

  private let state: Mutex<State>

  init(isDoneAfterLooks looks: Int) { state = Mutex(State(looksLeft: looks)) }

  /// The Message-ID of the message, once it is in the folder.
  private func look() -> String? {
    state.withLock { state in
      guard let id = state.messageID else { return nil }
      state.looksLeft -= 1
      return state.looksLeft < 0 ? id : nil
    }
  }

  func serve(_ peer: ScriptedPeer) async throws {
    let capabilities = "CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR"
    var stored: String?
    try await peer.send("* OK [\(capabilities)] ready\r\n")
    while let line = try await peer.readLine() {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let (tag, command) = (parts[0], parts.count > 1 ? parts[1] : "")
      if command.hasPrefix("APPEND") {
        try await take(peer, command)
        return
      }
      var answer = ""
      if stored == nil, command.hasPrefix("EXAMINE") || command == "NOOP" { stored = look() }
      if command.hasPrefix("EXAMINE") {
        answer = "* \(stored == nil ? 0 : 1) EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 5] x\r\n"
      } else if command.hasPrefix("STATUS") {
        answer = "* STATUS INBOX (MESSAGES 0 UIDVALIDITY 7 UIDNEXT \(stored == nil ? 5 : 6))\r\n"
      } else if command.hasPrefix("UID SEARCH") {
        answer = "* SEARCH\(stored == nil ? "" : " 5")\r\n"
      } else if command.hasPrefix("UID FETCH"), let id = stored {
        let header = "Message-ID: <\(id)>\r\n\r\n"
        answer =
          "* 1 FETCH (UID 5 RFC822.SIZE 300 INTERNALDATE \"01-Jul-2025 10:00:00 +0000\" "
          + "BODY[HEADER.FIELDS (MESSAGE-ID)] {\(header.utf8.count)}\r\n\(header))\r\n"
      }
      try await peer.send(answer + "\(tag) OK [\(capabilities)] done\r\n")
    }
  }

  /// Reads the message and goes away.
  private func take(_ peer: ScriptedPeer, _ command: String) async throws {
    guard let size = Int(command.split(separator: "{").last?.prefix { $0.isNumber } ?? "") else { return }
    try await peer.send("+ go on\r\n")
    let message = String(decoding: try await peer.read(exactly: size), as: UTF8.self)
    let id = message.split(separator: "\r\n").first { $0.lowercased().hasPrefix("message-id:") }
      .map { $0.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" } }
    state.withLock { $0.messageID = id.map(String.init) }
  }
}
