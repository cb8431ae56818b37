import Expressions
import Foundation
import Testing

/// `sous providers test`, `sous mail pull` and `sous mail watch` on local folders.
@Suite(.timeLimit(.minutes(10))) struct MailboxCommandTests {
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try FileManager.default.copyItem(
      atPath: SousProcess.repository + "/examples/mailbox", toPath: sous.folder + "/box")
    try sous.write(
      "sous.yaml",
      """
      providers:
        old: { plugin: maildir, path: box }
        new: { plugin: maildir, path: copy, create: true }
        words: { plugin: extractive }
      """)
  }

  /// Every message of a mailbox: folder, flags and bytes.
  private func messages(_ box: String) throws -> [String] {
    let root = sous.folder + "/" + box
    return try (FileManager.default.subpathsOfDirectory(atPath: root)).filter { path in
      ["cur", "new"].contains(((path as NSString).deletingLastPathComponent as NSString).lastPathComponent)
    }.map { path in
      let folder = ((path as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
      let flags = path.range(of: ":2,").map { String(path[$0.upperBound...].sorted()) } ?? ""
      return "\(folder)\n\(flags)\n"
        + String(decoding: try Data(contentsOf: URL(fileURLWithPath: root + "/" + path)), as: UTF8.self)
        .replacingOccurrences(of: "\r\n", with: "\n")
    }.sorted()
  }

  @Test func aPullCopiesEachMessageOnceAndTakesFlagsOver() throws {
    defer { sous.remove() }
    let before = try messages("box")
    let first = try sous("mail", "pull", "old", "--to", "new", "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try first.json["copied"] == .int(Int64(before.count)))
    #expect(try messages("copy") == before)
    #expect(try messages("box") == before)
    // Nothing of what was copied stays in the run log.
    let log = try Data(contentsOf: URL(fileURLWithPath: sous.folder + "/.sous/sous.db"))
    #expect(log.range(of: Data("Received:".utf8)) == nil && log.range(of: Data("Content-Type".utf8)) == nil)

    let cur = sous.folder + "/box/cur"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: cur).sorted().first)
    let end = name.range(of: ":2,").map { String(name[..<$0.lowerBound]) } ?? name
    try FileManager.default.moveItem(atPath: cur + "/" + name, toPath: cur + "/" + end + ":2,FRS")
    let second = try sous("mail", "pull", "old", "--to", "new", "--json").json
    #expect(second["copied"] == 0 && second["flagged"] == 1)
    #expect(second["unchanged"] == .int(Int64(before.count - 1)))
    #expect(try messages("copy") == messages("box"))
  }

  @Test func aPullRefusesWhatCannotBe() throws {
    defer { sous.remove() }
    #expect(try sous("mail", "pull", "old", "--to", "old").status == 2)
    let unknown = try sous("mail", "pull", "odl", "--to", "new")
    #expect(unknown.status == 2 && unknown.errors.contains("old"), "\(unknown.errors)")
    let missing = try sous("mail", "pull", "old", "Newsleters", "--to", "new")
    #expect(missing.status == 2 && missing.errors.contains("Newsleters"), "\(missing.errors)")
  }

  @Test func providersAreListedAndTriedOut() throws {
    defer { sous.remove() }
    #expect(try sous("providers", "--json").json.listValue?.count == 3)
    #expect(try sous("providers", "test", "old", "--json").json["action"] == "mail.folders")
    let unknown = try sous("providers", "test", "odl")
    #expect(unknown.status == 2 && unknown.errors.contains("old"), "\(unknown.errors)")
    try FileManager.default.removeItem(atPath: sous.folder + "/box")
    let broken = try sous("providers", "test", "old")
    #expect(broken.status != 0 && broken.errors.contains("old"), "\(broken.errors)")
  }
}
