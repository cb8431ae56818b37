import Expressions
import Foundation
import TestSupport
import Testing

/// The program with an IMAP server that answers oddly: it copies and filters the readable messages, names the others, and ends with
/// status 1.
@Suite(.enabled(if: OddMailServer.python != nil, "python3 is not installed"), .timeLimit(.minutes(5)))
struct OddMailServerTests {
  private var sous: SousProcess

  init() throws {
    sous = try SousProcess()
    sous.environment["WORK_PASSWORD"] = "secret"
  }

  private func configure(_ server: OddMailServer) throws {
    try sous.write(
      "sous.yaml",
      """
      providers:
        work:
          plugin: imap
          host: 127.0.0.1
          port: \(server.port)
          tls: none
          user: me
          password: { secret: WORK_PASSWORD }
        home: { plugin: maildir, path: box, create: true }
      defaults: { mail.store: work }
      """)
  }

  private func texts(_ folder: String) -> [String] {
    let found = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return found.filter { $0.hasPrefix("cur/") || $0.hasPrefix("new/") }
      .compactMap { try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.sorted()
  }

  @Test func aPullCopiesTheOthersAndNamesUnreadableFoldersAndMessages() throws {
    defer { sous.remove() }
    let server = try OddMailServer(sous.folder)
    try configure(server)
    let outcome = try sous("mail", "pull", "work", "--to", "home", "--json")
    #expect(outcome.status == 1, "\(outcome.errors)")
    let report = try outcome.json
    #expect(report["copied"] == 2)
    #expect(report["failures"]?.listValue?.compactMap { $0["folder"]?.stringValue } == ["../../up", "Locked"])
    #expect(report["refusals"]?.listValue?.compactMap { $0["uid"]?.stringValue } == ["7.2"])
    #expect(texts(sous.folder + "/box").count == 2)
    #expect(!FileManager.default.fileExists(atPath: (sous.folder as NSString).deletingLastPathComponent + "/up"))
    // The next pull tries the other messages again and copies none twice.
    let again = try sous("mail", "pull", "work", "--to", "home", "--json")
    #expect(again.status == 1)
    #expect(try again.json["copied"] == 0)
    #expect(texts(sous.folder + "/box").count == 2)
  }

  @Test func aFilterJudgesTheOthersAndNamesTheUnreadableMessage() throws {
    defer { sous.remove() }
    let server = try OddMailServer(sous.folder)
    try configure(server)
    try sous.write(
      "f.yaml",
      """
      kind: mail-filter
      name: f
      rules:
        - name: r
          when: message.text.contains('Text') && message.attachments.size() == 0
          then: [{ move: home }]
      """)
    let outcome = try sous("run", "f.yaml", "--dry-run", "--json")
    #expect(outcome.status == 1, "\(outcome.errors)")
    let account = try outcome.json[0]
    #expect(account?["decisions"]?.listValue?.compactMap { $0["uid"]?.stringValue }.sorted() == ["7.1", "7.3"])
    #expect(account?["errors"]?.listValue?.compactMap { $0["uid"]?.stringValue } == ["7.2"])
  }

  /// The answer to the second message is lost, and the server has no MULTIAPPEND: it is looked for before it is sent again.
  @Test func aPullWhoseAnswerIsLostStoresEachMessageOnce() throws {
    defer { sous.remove() }
    let server = try OddMailServer(sous.folder, losing: true)
    try configure(server)
    for part in ["cur", "new", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(sous.folder)/box/.Target/\(part)", withIntermediateDirectories: true)
    }
    try FileManager.default.createDirectory(atPath: "\(sous.folder)/box/cur", withIntermediateDirectories: true)
    for number in 1...2 {
      try sous.write(
        "box/.Target/cur/\(number).host:2,S", "Subject: m\(number)\nMessage-ID: <\(number)@example.org>\n\nText\n")
    }
    let first = try sous("mail", "pull", "home", "Target", "--to", "work", "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try first.json["copied"] == 2)
    let second = try sous("mail", "pull", "home", "Target", "--to", "work", "--json")
    #expect(try second.json["copied"] == 0)
    #expect(server.stored == ["m1", "m2"])
  }

  @Test(arguments: [
    ("move", "../../x", 2), ("copy", "a/../../x", 2), ("move", "/etc/x", 2), ("copy", "..", 2), ("move", "Kept/x", 0),
  ])
  func aFolderOutsideOfTheMailboxIsRefusedBeforeAnythingRuns(_ action: String, _ folder: String, _ status: Int32) throws
  {
    defer { sous.remove() }
    try sous.write(
      "sous.yaml", "providers:\n  home: { plugin: maildir, path: box, create: true }\ndefaults: { mail.store: home }\n")
    try sous.write("f.yaml", "kind: mail-filter\nname: f\nrules:\n  - name: r\n    then: [{ \(action): \(folder) }]\n")
    try sous.write(
      "s.yaml",
      """
      name: s
      steps:
        - { id: a, uses: mail.\(action), with: { folder: INBOX, uids: [x], to: \(folder) } }
      """)
    for file in ["f.yaml", "s.yaml"] { #expect(try sous("validate", file).status == status, "\(file)") }
    #expect(try sous("run", "f.yaml", "--dry-run").status == status)
  }
}

/// `Tests/Fixtures/mail/odd_imap_server.py`; ends with the object that started it.
final class OddMailServer {
  static let python = ["/usr/bin", "/usr/local/bin", "/bin"].map { "\($0)/python3" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  let port: Int
  private let process = Process()
  private let folder: String

  init(_ folder: String, losing: Bool = false) throws {
    self.folder = folder
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments =
      [SousProcess.repository + "/Tests/Fixtures/mail/odd_imap_server.py", folder] + (losing ? ["lose"] : [])
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var found: Int?
    try eventuallyBlocking {
      found = (try? String(contentsOfFile: folder + "/port", encoding: .utf8)).flatMap { Int($0) }
      return found != nil
    }
    port = try #require(found)
  }

  deinit { process.terminate() }

  /// The subjects of the messages that it has stored.
  var stored: [String] {
    let text = (try? String(contentsOfFile: folder + "/stored", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init).sorted()
  }
}
