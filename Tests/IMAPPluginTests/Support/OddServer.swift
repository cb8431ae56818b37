import PluginKit
import PluginKitTesting
import Synchronization

/// An IMAP server in memory with messages in one folder; a test changes its answers.
final class OddServer: Sendable {
  /// A message, and how the server describes it.
  struct Message: Sendable {
    var uid: UInt32
    var text: String
    /// The text of BODYSTRUCTURE.
    var structure = ""
    /// The text of RFC822.SIZE; `nil` if the server sends none.
    var size: String?
    var flags: Set<String> = []
    /// Whether FETCH is answered with NO.
    var isRefused = false
    /// Whether FETCH leaves it out.
    var isLeftOut = false

    init(_ uid: UInt32, _ text: String, structure: String? = nil) {
      self.uid = uid
      self.text = text
      size = "\(text.utf8.count)"
      let body = OddServer.parts(of: text).body.utf8.count
      self.structure =
        structure ?? "(\"text\" \"plain\" (\"charset\" \"utf-8\") NIL NIL \"7bit\" \(body) 1 NIL NIL NIL NIL)"
    }
  }

  /// How the server answers.
  struct Manner: Sendable {
    /// Flags that STORE forgets, in lowercase.
    var forgets: Set<String> = []
    /// Whether STORE answers with the new flags.
    var tellsFlags = true
    /// Whether MOVE, COPY and EXPUNGE change anything; they answer OK in both cases.
    var obeys = true
    /// How many messages MOVE and COPY deal with at most; they name these and answer OK.
    var mostAtOnce: Int?
    /// Untagged responses before the end of every command.
    var news = ""
    var permanentFlags = #"\Seen \Flagged \Deleted \*"#
    /// The number of EXISTS; `nil` for the real one.
    var exists: String?
  }

  private struct State {
    var messages: [Message]
    var manner = Manner()
    var commands: [String] = []
    var copied: [Message] = []
  }

  private let state: Mutex<State>
  private let capabilities: String

  init(_ messages: [Message], capabilities: String = "UIDPLUS MOVE") {
    state = Mutex(State(messages: messages))
    self.capabilities = "CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR \(capabilities)"
  }

  var messages: [Message] { state.withLock { $0.messages } }
  /// The messages of the other folder, `B`.
  var copied: [Message] { state.withLock { $0.copied } }
  /// The commands that came, without their tags.
  var commands: [String] { state.withLock { $0.commands } }

  func change(_ body: (inout [Message], inout Manner) -> Void) {
    state.withLock { body(&$0.messages, &$0.manner) }
  }

  /// Plays the server on one connection.
  func serve(_ peer: ScriptedPeer) async throws {
    try await peer.send("* OK [\(capabilities)] ready\r\n")
    var isInOther = false
    while let line = try await peer.readLine() {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let (tag, command) = (parts[0], parts.count > 1 ? parts[1] : "")
      if command.hasPrefix("SELECT") || command.hasPrefix("EXAMINE") { isInOther = command.contains("\"B\"") }
      let (answer, end) = state.withLock { [isInOther] state in
        state.commands.append(command)
        let (answer, end) = self.answer(command, isInOther, &state)
        return (answer + state.manner.news, end)
      }
      try await peer.send("\(answer)\(tag) \(end)\r\n")
    }
  }

  private func answer(_ command: String, _ isInOther: Bool, _ state: inout State) -> (String, String) {
    let words = command.split(separator: " ").map(String.init)
    let name = words.first ?? ""
    let done = "OK done"
    switch name {
    case "CAPABILITY": return ("* \(capabilities)\r\n", done)
    case "AUTHENTICATE": return ("", "OK [\(capabilities)] in")
    case "LIST":
      return (
        command.hasSuffix(#""" """#) ? "* LIST () \"/\" \"\"\r\n" : "* LIST () \"/\" INBOX\r\n* LIST () \"/\" B\r\n",
        done
      )
    case "STATUS":
      return ("* STATUS B (MESSAGES \(state.copied.count) UIDNEXT \(state.copied.count + 1) UIDVALIDITY 9)\r\n", done)
    case "SELECT", "EXAMINE":
      let count = state.manner.exists ?? "\(isInOther ? state.copied.count : state.messages.count)"
      return (
        "* \(count) EXISTS\r\n* OK [PERMANENTFLAGS (\(state.manner.permanentFlags))] x\r\n"
          + "* OK [UIDVALIDITY \(isInOther ? 9 : 7)] x\r\n* OK [UIDNEXT 1000] x\r\n", done
      )
    case "UID" where words.count > 2: return uid(words, command, isInOther, &state)
    default: return ("", done)
    }
  }

  private func uid(_ words: [String], _ command: String, _ isInOther: Bool, _ state: inout State) -> (String, String) {
    let set = words[2]
    let opened = isInOther ? state.copied : state.messages
    switch words[1] {
    case "SEARCH":
      let wanted =
        words.count > 3 && words[2] == "UID" ? opened.filter { Self.holds(words[3], $0.uid) } : opened
      return ("* SEARCH\(wanted.map { " \($0.uid)" }.joined())\r\n", "OK done")
    case "FETCH":
      var answer = ""
      var end = "OK done"
      for (index, message) in opened.enumerated() where Self.holds(set, message.uid) && !message.isLeftOut {
        if message.isRefused {
          end = "NO [SERVERBUG] it cannot be read"
        } else {
          answer += "* \(index + 1) FETCH (UID \(message.uid)\(Self.items(message, command)))\r\n"
        }
      }
      return (answer, end)
    case "STORE":
      var answer = ""
      let names =
        command.split(separator: "(").last?.split(separator: ")").first?.split(separator: " ").map(String.init) ?? []
      for index in state.messages.indices where Self.holds(set, state.messages[index].uid) {
        let kept = names.filter { !state.manner.forgets.contains($0.lowercased()) }
        if command.contains("+FLAGS") {
          state.messages[index].flags.formUnion(kept)
        } else {
          state.messages[index].flags.subtract(kept)
        }
        if state.manner.tellsFlags {
          let flags = state.messages[index].flags.sorted().joined(separator: " ")
          answer += "* \(index + 1) FETCH (UID \(state.messages[index].uid) FLAGS (\(flags)))\r\n"
        }
      }
      return (answer, "OK done")
    case "MOVE", "COPY", "EXPUNGE":
      guard state.manner.obeys else { return ("", "OK done") }
      let all = state.messages.filter { Self.holds(set, $0.uid) }
      let some = words[1] == "EXPUNGE" ? all : Array(all.prefix(state.manner.mostAtOnce ?? all.count))
      let uids = some.map(\.uid)
      if words[1] != "COPY" { state.messages.removeAll { uids.contains($0.uid) } }
      if words[1] == "EXPUNGE" { return (String(repeating: "* 1 EXPUNGE\r\n", count: some.count), "OK done") }
      for var message in some {
        message.uid = UInt32(clamping: state.copied.count + 1)
        state.copied.append(message)
      }
      let news = words[1] == "MOVE" ? String(repeating: "* 1 EXPUNGE\r\n", count: some.count) : ""
      guard state.manner.mostAtOnce != nil else { return (news, "OK done") }
      let (old, new) = (uids, state.copied.suffix(some.count).map(\.uid))
      let sets = [old, new].map { $0.map(String.init).joined(separator: ",") }.joined(separator: " ")
      return (news, "OK [COPYUID 7 \(sets)] done")
    default: return ("", "BAD what?")
    }
  }

  /// The header with its empty line, and the rest.
  private static func parts(of text: String) -> (header: Substring, body: Substring) {
    guard let end = text.utf8.firstRange(of: "\r\n\r\n".utf8)?.upperBound else { return ("\(text)\r\n\r\n", "") }
    return (text[..<end], text[end...])
  }

  private static func items(_ message: Message, _ command: String) -> String {
    var text = ""
    if command.contains("FLAGS") { text += " FLAGS (\(message.flags.sorted().joined(separator: " ")))" }
    if command.contains("RFC822.SIZE"), let size = message.size { text += " RFC822.SIZE \(size)" }
    if command.contains("INTERNALDATE") { text += " INTERNALDATE \"01-Jul-2025 10:00:00 +0000\"" }
    if command.contains("BODYSTRUCTURE") { text += " BODYSTRUCTURE \(message.structure)" }
    let (header, content) = parts(of: message.text)
    if command.contains("HEADER") { text += " BODY[HEADER] {\(header.utf8.count)}\r\n\(header)" }
    if command.contains("PEEK[1]") {
      text += " BODY[1]<0> {\(content.utf8.count)}\r\n\(content)"
    }
    if command.contains("PEEK[]") {
      let origin = command.contains("<") ? "<0>" : ""
      var body = message.text
      // The first piece has at most so many bytes.
      if let start = command.firstRange(of: "PEEK[]<0.")?.upperBound,
        let count = Int(command[start...].prefix { $0.isNumber }), count < body.utf8.count
      {
        body = String(decoding: body.utf8.prefix(count), as: UTF8.self)
      }
      text += " BODY[]\(origin) {\(body.utf8.count)}\r\n\(body)"
    }
    return text
  }

  private static func holds(_ set: String, _ uid: UInt32) -> Bool {
    set.split(separator: ",").contains { range in
      let bounds = range.split(separator: ":").map { $0 == "*" ? UInt32.max : UInt32($0) ?? 0 }
      guard let first = bounds.first, let last = bounds.last else { return false }
      return first <= uid && uid <= last
    }
  }
}
