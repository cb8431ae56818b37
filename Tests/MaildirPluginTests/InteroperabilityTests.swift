import Foundation
import PluginKit
import Testing

@testable import MaildirPlugin

/// Reads and writes together with another implementation: Python's `mailbox.Maildir`.
@Suite(.enabled(if: Python.path != nil, "python3 is not installed"), .timeLimit(.minutes(5)))
struct InteroperabilityTests {
  @Test func pythonReadsWhatWeWrite() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open(["from": "Jana <jana@example.org>"])
    _ = try await plugin.call(
      "mail.send", ["to": ["me@example.com"], "subject": "From Sous", "text": "Grüße"], key: "one")
    let raw = Data(TemporaryMaildir.message(subject: "Archived").utf8).base64EncodedString()
    _ = try await plugin.call(
      "mail.append", ["folder": "Archive/2026", "raw": .string(raw), "flags": ["\\Seen", "\\Flagged"]], key: "two")
    let output = try Python.run(
      """
      import mailbox, sys
      box = mailbox.Maildir(sys.argv[1], factory=None, create=False)
      for message in box:
          print("inbox", message["Subject"], message.get_subdir(), message.get_flags(), message["Message-ID"])
      for name in box.list_folders():
          for message in box.get_folder(name):
              print(name, message["Subject"], message.get_subdir(), message.get_flags(), message["Message-ID"])
      """, temporary.path)
    #expect(
      output == """
        inbox From Sous new  <one@example.org>
        Archive.2026 Archived cur FS <1@example.org>

        """)
  }

  @Test func weReadAndChangeWhatPythonWrites() async throws {
    let temporary = try TemporaryMaildir()
    let script = """
      import mailbox, sys
      box = mailbox.Maildir(sys.argv[1], factory=None)
      message = mailbox.MaildirMessage("Subject: New\\nMessage-ID: <new@x>\\n\\nBody\\n")
      box.add(message)
      message = mailbox.MaildirMessage("Subject: Read\\nMessage-ID: <read@x>\\n\\nBody\\n")
      message.set_subdir("cur")
      message.set_flags("SR")
      box.add(message)
      box.add_folder("Projects").add("Subject: Inside\\n\\nBody\\n")
      """
    _ = try Python.run(script, temporary.path)
    let plugin = try temporary.open()
    let found = try #require(try await plugin.call("mail.search", ["order": "oldest"])["messages"]?.array)
    #expect(Set(found.compactMap { $0["subject"]?.string }) == ["New", "Read"])
    let read = try #require(found.first { $0["subject"] == "Read" })
    #expect(read["flags"] == ["\\Answered", "\\Seen"])
    let inside = try await plugin.call("mail.search", ["folder": "Projects"])
    #expect(inside["messages"]?.array?.first?["subject"] == "Inside")

    let uids = JSONValue.array(found.compactMap { $0["uid"] })
    _ = try await plugin.call("mail.flag", ["folder": "INBOX", "uids": uids, "add": ["\\Flagged"]])
    let output = try Python.run(
      """
      import mailbox, sys
      box = mailbox.Maildir(sys.argv[1], factory=None, create=False)
      for line in sorted(m["Subject"] + " " + m.get_subdir() + " " + m.get_flags() for m in box):
          print(line)
      """, temporary.path)
    #expect(output == "New cur F\nRead cur FRS\n")
  }

  @Test func bothChangeOneFolderAtTheSameTime() async throws {
    let temporary = try TemporaryMaildir()
    let path = temporary.path
    let plugin = try temporary.open()
    for number in 0..<30 {
      try temporary.write("new/\(100 + number).a", TemporaryMaildir.message(subject: "S\(number)", id: "\(number)@x"))
    }
    async let python = Python.inBackground(
      """
      import os, sys
      os.chdir(sys.argv[1])
      names = sorted(os.listdir("new"))
      for name in names:
          os.rename("new/" + name, "cur/" + name + ":2,")
      for round in range(40):
          for name in names:
              os.rename("cur/" + name + ":2,", "cur/" + name + ":2,FR")
          for name in names:
              os.rename("cur/" + name + ":2,FR", "cur/" + name + ":2,")
      for name in names:
          os.rename("cur/" + name + ":2,", "cur/" + name + ":2,S")
      """, path)
    // Searching meanwhile finds every message in every round, wherever it is at the moment.
    for _ in 0..<20 {
      let output = try await plugin.call("mail.search", ["limit": 1000])
      #expect(output["messages"]?.array?.count == 30)
    }
    _ = try await python
    #expect(try await plugin.call("mail.search", ["unseen": true])["total"] == 0)
    #expect(try await plugin.call("mail.search", ["unseen": false])["total"] == 30)
  }
}

/// The Python interpreter, where there is one.
enum Python {
  static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  @concurrent static func inBackground(_ script: String, _ argument: String) async throws -> String {
    try run(script, argument)
  }

  /// Runs a script and returns what it prints.
  static func run(_ script: String, _ argument: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path))
    process.arguments = ["-I", "-c", script, argument]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the script failed")
    return String(decoding: data, as: UTF8.self)
  }
}
