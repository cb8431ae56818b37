import Foundation
import PluginKit
import Testing

@testable import MaildirPlugin

/// Works on one folder together with Dovecot, by way of its `doveadm`; no server is started.
@Suite(.enabled(if: Doveadm.path != nil, "dovecot-imapd is not installed"), .timeLimit(.minutes(5)))
struct DovecotTests {
  private func flags(_ dovecot: Doveadm, _ folder: String) throws -> Set<String> {
    let line = try dovecot.run("fetch", "flags", "mailbox", folder, "all").split(separator: "\n").first ?? ""
    return Set(line.split(separator: " ").dropFirst().map(String.init)).subtracting(["\\Recent"])
  }

  @Test func bothKnowTheSameLabels() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("new/1.M1P1.host")
    let dovecot = try Doveadm(temporary.path)
    let plugin = try temporary.open()
    func ours(_ folder: String) async throws -> [JSONValue] {
      let output = try await plugin.call("mail.search", ["folder": .string(folder), "fields": ["labels", "uid"]])
      return output["messages"]?.array?.first?["labels"]?.array ?? []
    }
    _ = try dovecot.run("flags", "add", #"work red \Seen"#, "mailbox", "INBOX", "all")
    #expect(Set(try await ours("INBOX")) == ["work", "red"])
    _ = try await plugin.call(
      "mail.flag", ["folder": "INBOX", "uids": ["1.M1P1.host"], "add": ["blue"], "remove": ["work", "\\Seen"]])
    #expect(try flags(dovecot, "INBOX") == ["red", "blue"])
    // Into a folder whose letters mean something else.
    _ = try dovecot.run("mailbox", "create", "Other/Grün")
    _ = try await plugin.call("mail.append", ["folder": "Other/Grün", "raw": "QTogYgoKYwo=", "flags": ["green"]])
    _ = try dovecot.run("expunge", "mailbox", "Other/Grün", "all")
    _ = try await plugin.call("mail.move", ["folder": "INBOX", "uids": ["1.M1P1.host"], "to": "Other/Grün"])
    #expect(try flags(dovecot, "Other/Grün") == ["red", "blue"])
  }

  @Test func bothKnowTheSameFoldersAndSubscriptions() async throws {
    let temporary = try TemporaryMaildir()
    let dovecot = try Doveadm(temporary.path)
    let plugin = try temporary.open()
    func manage(_ operation: String, _ folder: String, to: String = "") async throws -> JSONValue? {
      var input: JSONObject = ["operation": .string(operation), "folder": .string(folder)]
      if !to.isEmpty { input["to"] = .string(to) }
      return try await plugin.call("mail.folder", .object(input))["changed"]
    }
    func listed(_ arguments: String...) throws -> Set<String> {
      Set(try dovecot.run(["mailbox", "list"] + arguments).split(separator: "\n").map(String.init))
    }
    #expect(try await manage("create", "A/März") == true)
    #expect(try await manage("create", "A/März/x") == true)
    #expect(try listed() == ["INBOX", "A", "A/März", "A/März/x"])
    #expect(try await manage("subscribe", "A/März") == true)
    #expect(try listed("-s") == ["A/März"])
    _ = try dovecot.run("mailbox", "subscribe", "A/März/x")
    #expect(try await manage("unsubscribe", "A/März/x") == true)
    #expect(try listed("-s") == ["A/März"])
    #expect(try await manage("rename", "A/März", to: "B") == true)
    #expect(try listed() == ["INBOX", "B", "B/x"])
    #expect(try await manage("delete", "B") == true)
    #expect(try listed() == ["INBOX", "B", "B/x"])
    #expect(try await manage("delete", "B/x") == true)
    #expect(try listed() == ["INBOX"])
  }

  @Test func bothSeeTheSameTimesAndBytes() async throws {
    let temporary = try TemporaryMaildir()
    let dovecot = try Doveadm(temporary.path)
    let plugin = try temporary.open()
    let source = "Subject: old\r\nMessage-ID: <9@x>\r\n\r\nLine\r\n"
    let blob = plugin.host.addBlob(Array(source.utf8))
    let output = try await plugin.call(
      "mail.append", ["folder": "INBOX", "blob": .string(blob.name), "received": "2020-01-02T03:04:05Z"])
    #expect(try dovecot.run("fetch", "date.received", "mailbox", "INBOX", "all").contains("2020-01-02 03:04:05"))
    #expect(try dovecot.run("fetch", "size.virtual", "mailbox", "INBOX", "all").contains("\(source.utf8.count)"))
    let raw = try await plugin.call("mail.raw", ["folder": "INBOX", "uid": output["uid"] ?? ""])
    #expect(raw["size"] == .integer(Int64(source.utf8.count)))
  }
}

/// Dovecot's tool for mailboxes, set up for one Maildir.
struct Doveadm {
  static let path: String? = ["/usr/bin/doveadm", "/usr/local/bin/doveadm"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let folder: String
  private let configuration: TemporaryMaildir

  init(_ folder: String) throws {
    self.folder = folder
    configuration = try TemporaryMaildir(boxes: ["base"])
    try configuration.write(
      "dovecot.conf",
      """
      base_dir = \(configuration.path)/base
      log_path = \(configuration.path)/log
      ssl = no
      protocols =
      mail_location = maildir:\(folder):INDEX=MEMORY
      first_valid_uid = 1
      namespace inbox {
        inbox = yes
        separator = /
      }

      """)
  }

  func run(_ arguments: String...) throws -> String { try run(arguments) }

  /// Runs a command and returns what it prints.
  ///
  /// Dovecot gives nobody's mail to root: as root, the folder becomes that of an unprivileged user for the command.
  func run(_ arguments: [String]) throws -> String {
    let doveadm = [try #require(Self.path), "-c", configuration.path + "/dovecot.conf"] + arguments
    let isRoot = getuid() == 0
    if isRoot {
      _ = try execute(["/usr/bin/chown", "-R", "65534:65534", folder, configuration.path])
    }
    let user = isRoot ? "nobody" : NSUserName()
    return try execute(
      (isRoot ? ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : [])
        + ["/usr/bin/env", "USER=\(user)", "HOME=\(configuration.path)", "LC_ALL=C.UTF-8", "TZ=UTC"] + doveadm)
  }

  private func execute(_ command: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(command.joined(separator: " ")) failed")
    return String(decoding: data, as: UTF8.self)
  }
}
