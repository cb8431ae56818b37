import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The Sieve interpreter of Dovecot: what it would do with messages.
struct Pigeonhole {
  static let program = ["/usr/bin/sieve-filter", "/usr/local/bin/sieve-filter"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let folder: String
  private let count: Int

  /// Puts messages into a mailbox of its own.
  init(_ messages: [[UInt8]]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("sieve-\(UUID().uuidString)").path
    count = messages.count
    for part in ["", "/mail/cur", "/mail/new", "/mail/tmp", "/home", "/run"] {
      try FileManager.default.createDirectory(atPath: folder + part, withIntermediateDirectories: true)
    }
    for (number, message) in messages.enumerated() {
      let name = "\(1_700_000_000 + number).M\(number)P1.test,S=\(message.count):2,"
      try Data(message).write(to: URL(fileURLWithPath: folder + "/mail/cur/" + name))
    }
    // Dovecot refuses to open mail as root.
    let user = getuid() == 0 ? "nobody" : NSUserName()
    let account = getpwnam(user)?.pointee
    let (owner, group) = (account?.pw_uid ?? getuid(), account?.pw_gid ?? getgid())
    let configuration = """
      base_dir = \(folder)/run
      mail_uid = \(owner)
      mail_gid = \(group)
      first_valid_uid = 1
      first_valid_gid = 1
      mail_location = maildir:\(folder)/mail
      mail_home = \(folder)/home
      log_path = /dev/stderr
      plugin {
        sieve_extensions = +special-use
      }
      """
    try configuration.write(toFile: folder + "/dovecot.conf", atomically: true, encoding: .utf8)
    if getuid() == 0 { try Self.give(folder, to: owner, group) }
  }

  private static func give(_ folder: String, to owner: uid_t, _ group: gid_t) throws {
    chown(folder, owner, group)
    chmod(folder, 0o755)
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) { chown("\(folder)/\(path)", owner, group) }
  }

  /// Removes the mailbox.
  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// What a script would do with each message, in their order.
  func outcomes(_ script: String) throws -> [Outcome] {
    let file = folder + "/home/script-\(UUID().uuidString).sieve"
    try script.write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let report = folder + "/home/report-\(UUID().uuidString)"
    try Data().write(to: URL(fileURLWithPath: report))
    defer { try? FileManager.default.removeItem(atPath: report) }
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: report))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program ?? "")
    process.arguments = ["-c", folder + "/dovecot.conf", "-v", file, "INBOX"]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: report)), as: UTF8.self)
    let parts = text.components(separatedBy: ">> Filtering message:").dropFirst()
    guard parts.count == count else { throw Failure(description: String(text.prefix(2000))) }
    return parts.map { part in
      // Answers stand in the report as they are sent.
      let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
      var isAnswer = false
      let shown = lines.filter { line in
        if line == "START MESSAGE" { isAnswer = true }
        if line == "END MESSAGE" { isAnswer = false }
        return !isAnswer
      }
      return Outcome(pigeonhole: shown)
    }
  }
}
