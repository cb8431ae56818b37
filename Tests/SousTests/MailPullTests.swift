import Expressions
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `sous mail pull` where something has happened in between.
@Suite(.timeLimit(.minutes(10))) struct MailPullTests {
  private var sous: SousProcess

  init() throws {
    sous = try SousProcess()
    sous.environment["WORK_PASSWORD"] = "secret"
    try sous.write(
      "sous.yaml",
      """
      providers:
        old: { plugin: maildir, path: box }
        new: { plugin: maildir, path: copy, create: true }
      """)
    for number in 0..<12 { try put("\(number)", folder: number < 8 ? "" : "/.Work") }
  }

  private func put(_ name: String, folder: String = "", box: String = "box") throws {
    for part in ["cur", "new", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(sous.folder)/\(box)\(folder)/\(part)", withIntermediateDirectories: true)
    }
    try sous.write("\(box)\(folder)/cur/\(name).host:2,S", "Message-ID: <\(name)@example.org>\n\nText of \(name)\n")
  }

  private func pull(_ more: String...) throws -> Value {
    let outcome = try sous.run(SousProcess.executable, ["mail", "pull", "old", "--to", "new", "--json"] + more)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.json
  }

  /// The files of messages, below a folder.
  private func files(_ root: String) -> [String] {
    let found = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return found.filter {
      ["cur", "new"].contains((($0 as NSString).deletingLastPathComponent as NSString).lastPathComponent)
    }
    .map { root + "/" + $0 }.sorted()
  }

  /// The contents of the messages, sorted.
  private func contents(_ box: String) throws -> [String] {
    try files(sous.folder + "/" + box).map { try String(contentsOfFile: $0, encoding: .utf8) }.sorted()
  }

  private func rename(_ path: String, _ change: (String) -> String) throws {
    let name = (path as NSString).lastPathComponent
    try FileManager.default.moveItem(
      atPath: path, toPath: (path as NSString).deletingLastPathComponent + "/" + change(name))
  }

  @Test func aRemovedFolderIsCopiedAgain() throws {
    defer { sous.remove() }
    #expect(try pull()["copied"] == 12)
    try FileManager.default.removeItem(atPath: sous.folder + "/copy/.Work")
    let again = try pull()
    #expect(again["copied"] == 4 && again["unchanged"] == 8)
    #expect(try contents("copy") == contents("box"))
    try FileManager.default.removeItem(atPath: sous.folder + "/copy")
    #expect(try pull()["copied"] == 12)
    #expect(try contents("copy") == contents("box"))
  }

  @Test func aRemovedFolderIsCopiedAgainThoughThatIsInterrupted() throws {
    defer { sous.remove() }
    for number in 12..<400 { try put("\(number)", folder: "/.Work") }
    _ = try pull()
    let folder = sous.folder + "/copy/.Work"
    try FileManager.default.removeItem(atPath: folder)
    // As soon as the folder is there again.
    let process = try startPull("old")
    while process.isRunning, !FileManager.default.fileExists(atPath: folder) { usleep(200) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let second = try pull()
    #expect(second["removed"] == 0)
    #expect(try contents("copy") == contents("box"))
  }

  @Test func whatWasRemovedFromTheTargetStaysAwayUntilItIsAskedFor() throws {
    defer { sous.remove() }
    _ = try pull()
    let victim = try #require(
      files(sous.folder + "/copy").first { try String(contentsOfFile: $0, encoding: .utf8).contains("Text of 3\n") })
    try FileManager.default.removeItem(atPath: victim)
    // Its flags change at the source: nothing to change here, and no error.
    try rename(sous.folder + "/box/cur/3.host:2,S") { _ in "3.host:2,FS" }
    let second = try pull()
    #expect(second["copied"] == 0 && second["removed"] == 1 && second["unchanged"] == 11 && second["refused"] == 0)
    let third = try pull("--missing")
    #expect(third["copied"] == 1 && third["removed"] == 0)
    #expect(try contents("copy") == contents("box"))
    #expect(files(sous.folder + "/copy").contains { $0.hasSuffix(":2,FS") })
  }

  @Test func aRenumberedSourceIsNotCopiedAgain() throws {
    defer { sous.remove() }
    _ = try pull()
    for file in files(sous.folder + "/box") { try rename(file) { "9" + $0 } }
    try put("fresh")
    let second = try pull()
    #expect(second["copied"] == 1 && second["recognized"] == 12)
    #expect(try pull()["unchanged"] == 13)
    #expect(try contents("copy") == contents("box"))
  }

  @Test func aRenumberedTargetIsNotFilledAgain() throws {
    defer { sous.remove() }
    _ = try pull()
    for file in files(sous.folder + "/copy") { try rename(file) { "9" + $0 } }
    let second = try pull()
    #expect(second["copied"] == 0 && second["unchanged"] == 12 && second["removed"] == 0)
    #expect(try contents("copy") == contents("box"))
  }

  @Test func aLostRunLogDoublesNothing() throws {
    defer { sous.remove() }
    _ = try pull()
    try FileManager.default.removeItem(atPath: sous.folder + "/.sous")
    // Another message that is the same as one: it is copied, since that one stands for one message only.
    try FileManager.default.copyItem(
      atPath: sous.folder + "/box/cur/3.host:2,S", toPath: sous.folder + "/box/cur/3b.host:2,S")
    let second = try pull()
    #expect(second["recognized"] == 12 && second["copied"] == 1)
    #expect(try contents("copy") == contents("box"))
  }

  private func configure(old: String, new: String) throws {
    try sous.write(
      "sous.yaml",
      """
      providers:
        old: { plugin: maildir, path: \(old) }
        new: { plugin: maildir, path: \(new), create: true }
      """)
  }

  @Test func anotherSourceUnderTheSameNameIsCopiedThoughItNumbersAlike() throws {
    defer { sous.remove() }
    _ = try pull()
    for number in 0..<3 {
      try put("\(number)", box: "other")
      try sous.write("other/cur/\(number).host:2,S", "Message-ID: <\(number)@example.net>\n\nAnother text \(number)\n")
    }
    try configure(old: "other", new: "copy")
    let second = try pull()
    #expect(second["copied"] == 3 && second["unchanged"] == 0 && second["recognized"] == 0)
    #expect(try contents("copy") == (try contents("box") + contents("other")).sorted())
    #expect(try pull()["unchanged"] == 3)
    // Back again: what is there is told by its content.
    try configure(old: "box", new: "copy")
    let third = try pull()
    #expect(third["copied"] == 0 && third["recognized"] == 8 && third["unchanged"] == 4)
  }

  @Test func anotherTargetUnderTheSameNameIsFilled() throws {
    defer { sous.remove() }
    _ = try pull()
    try put("mine", box: "second")
    try put("mine", folder: "/.Work", box: "second")
    try configure(old: "box", new: "second")
    let second = try pull()
    #expect(second["copied"] == 12 && second["removed"] == 0)
    #expect(try contents("second").count == 14)
  }

  // MARK: A server

  /// Messages in the mailbox of a user, as if they had come long ago.
  private func fill(_ server: DovecotServer, _ user: String, _ count: Int) throws {
    let maildir = server.maildir(user)
    for part in ["cur", "new", "tmp"] {
      try FileManager.default.createDirectory(atPath: "\(maildir)/\(part)", withIntermediateDirectories: true)
    }
    for number in 0..<count {
      let text = "Message-ID: <\(number)@example.org>\n\n" + String(repeating: "Text of \(number)\n", count: 40)
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(maildir)/cur/\(number).host:2,S"))
    }
    guard getuid() == 0, let owner = getpwnam("mail") else { return }
    let home = (maildir as NSString).deletingLastPathComponent
    for path in [home] + (try FileManager.default.subpathsOfDirectory(atPath: home)).map({ home + "/" + $0 }) {
      chown(path, owner.pointee.pw_uid, owner.pointee.pw_gid)
    }
  }

  /// Starts a pull and kills it as soon as its target has more messages than before.
  private func pullKilled(into target: String) throws {
    let before = files(target).count
    let process = try startPull("work", "INBOX")
    while process.isRunning, files(target).count <= before { usleep(1000) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func startPull(_ source: String, _ folders: String...) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["mail", "pull", source, "--to", "new"] + folders
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test(.enabled(if: DovecotServer.program != nil, "needs Dovecot"))
  func killedPullsOfAServerLoseAndDoubleNothing() throws {
    defer { sous.remove() }
    let server = try DovecotServer()
    let count = 2500
    try fill(server, "me", count)
    try sous.write(
      "sous.yaml",
      """
      providers:
        work:
          plugin: imap
          host: localhost
          port: \(server.port)
          tls: none
          user: me
          password: { secret: WORK_PASSWORD }
        new: { plugin: maildir, path: copy, create: true }
      """)
    for _ in 0..<2 { try pullKilled(into: sous.folder + "/copy") }
    #expect(!files(sous.folder + "/copy").isEmpty)
    let last = try sous("mail", "pull", "work", "--to", "new", "INBOX", "--json")
    #expect(last.status == 0, "\(last.errors)")
    let theirs = try files(server.maildir("me")).map { try String(contentsOfFile: $0, encoding: .utf8) }.sorted()
    #expect(theirs.count == count)
    #expect(try contents("copy") == theirs)

    // The server numbers its messages anew: nothing is copied again.
    server.stop()
    for name in try FileManager.default.contentsOfDirectory(atPath: server.maildir("me"))
    where name.hasPrefix("dovecot") {
      try FileManager.default.removeItem(atPath: server.maildir("me") + "/" + name)
    }
    // UIDVALIDITY is the time in seconds.
    sleep(1)
    try server.launch()
    let renumbered = try sous("mail", "pull", "work", "--to", "new", "INBOX", "--json").json
    #expect(renumbered["copied"] == 0 && renumbered["recognized"] == .int(Int64(count)))
  }

  @Test(.enabled(if: DovecotServer.program != nil, "needs Dovecot"))
  func killedPullsToAServerLoseAndDoubleNothing() throws {
    defer { sous.remove() }
    let server = try DovecotServer()
    let count = 600
    try fill(server, "me", count)
    try sous.write(
      "sous.yaml",
      """
      providers:
      \(["work": "me", "new": "you"].map { name, user in
        "  \(name): { plugin: imap, host: localhost, port: \(server.port), tls: none, user: \(user), "
          + "password: { secret: WORK_PASSWORD } }"
      }.sorted().joined(separator: "\n"))
      """)
    for _ in 0..<2 { try pullKilled(into: server.maildir("you")) }
    #expect(!files(server.maildir("you")).isEmpty)
    let last = try sous("mail", "pull", "work", "--to", "new", "INBOX", "--json")
    #expect(last.status == 0, "\(last.errors)")
    let (theirs, ours) = (server.maildir("me"), server.maildir("you"))
    #expect(files(ours).count == count)
    let texts = {
      try self.files($0).map { try String(contentsOfFile: $0, encoding: .utf8).replacing("\r\n", with: "\n") }.sorted()
    }
    #expect(try texts(ours) == texts(theirs))
  }
}
