import Foundation
import PluginKit
import Testing

@testable import MaildirPlugin

struct MaildirTests {
  @Test func deliversThroughTmpIntoNew() throws {
    let temporary = try TemporaryMaildir()
    let folder = try temporary.maildir().folder(.inbox)
    let file = try folder.deliver(Array("A: b\n\nText\n".utf8), at: 1_800_000_000_000)
    #expect(temporary.names("tmp") == [])
    #expect(temporary.names("new") == [file.fileName])
    #expect(temporary.names("cur") == [])
    #expect(file.fileName.hasSuffix(",S=11,W=14"))
    #expect(try temporary.content("new/" + file.fileName) == "A: b\n\nText\n")
  }

  @Test func deliversWithFlagsIntoCur() throws {
    let temporary = try TemporaryMaildir()
    let folder = try temporary.maildir().folder(.inbox)
    let file = try folder.deliver([], flags: MessageFlags(letters: "SF"), at: 0)
    #expect(temporary.names("cur") == [file.fileName])
    #expect(file.fileName.hasSuffix(":2,FS"))
  }

  @Test func aMaildirThatIsMadeHasItsThreeFolders() throws {
    let temporary = try TemporaryMaildir(boxes: [])
    _ = try Maildir(path: temporary.path)
    #expect(temporary.names("") == [])
    _ = try Maildir(path: temporary.path, made: true)
    #expect(temporary.names("") == ["cur", "new", "tmp"])
  }

  @Test func makesMissingBoxesWhenWriting() throws {
    let temporary = try TemporaryMaildir(boxes: [])
    let folder = try temporary.maildir().folder(.inbox)
    #expect(try folder.messages() == [])
    _ = try folder.deliver([1], at: 0)
    #expect(temporary.names("") == ["cur", "new", "tmp"])
    #expect(try temporary.maildir().folder(.inbox).messages().count == 1)
  }

  @Test(.timeLimit(.minutes(5)))
  func concurrentWritersLoseAndMixNothing() async throws {
    let temporary = try TemporaryMaildir(boxes: ["cur"])
    let path = temporary.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask { @concurrent in
          let folder = try Maildir(path: path).folder(.inbox)
          for number in 0..<100 {
            _ = try folder.deliver(Array("Subject: \(writer)-\(number)\n\n\(writer)-\(number) end\n".utf8), at: 1000)
          }
        }
      }
      try await group.waitForAll()
    }
    let folder = try temporary.maildir().folder(.inbox)
    let files = try folder.messages()
    #expect(files.count == 800)
    var contents: Set<String> = []
    for file in files {
      let bytes = try #require(try folder.read(file, .upTo(1000))).bytes
      #expect(bytes.count == file.name.size)
      contents.insert(String(decoding: bytes, as: UTF8.self))
    }
    let expected = (0..<8).flatMap { writer in
      (0..<100).map { "Subject: \(writer)-\($0)\n\n\(writer)-\($0) end\n" }
    }
    #expect(contents == Set(expected))
    #expect(temporary.names("tmp") == [])
  }

  @Test func ignoresDotFilesDirectoriesAndLinks() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,S")
    try temporary.write("cur/.nfs000")
    try temporary.write("cur/folder/file")
    try temporary.write("tmp/2.a")
    try temporary.write("outside", "secret")
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path + "/cur/3.a:2,", withDestinationPath: temporary.path + "/outside")
    #expect(try temporary.maildir().folder(.inbox).messages().map(\.uid) == ["1.a"])
  }

  @Test func followsAMessageThatWasRenamedAfterListing() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("new/1.a", "Subject: x\n\n")
    let folder = try temporary.maildir().folder(.inbox)
    let file = try #require(try folder.messages().first)
    try temporary.rename("new/1.a", "cur/1.a:2,FS")
    let found = try #require(try folder.read(file, .upTo(100)))
    #expect(found.file.fileName == "1.a:2,FS")
    #expect(found.file.box == .cur)
    try FileManager.default.removeItem(atPath: temporary.path + "/cur/1.a:2,FS")
    #expect(try folder.read(file, .upTo(100)) == nil)
  }

  @Test func followsAMessageIntoABoxThatWasMadeMeanwhile() throws {
    let temporary = try TemporaryMaildir(boxes: ["new"])
    try temporary.write("new/1.a")
    let folder = try temporary.maildir().folder(.inbox)
    let file = try #require(try folder.messages().first)
    try FileManager.default.createDirectory(atPath: temporary.path + "/cur", withIntermediateDirectories: false)
    try temporary.rename("new/1.a", "cur/1.a:2,")
    #expect(try folder.read(file, .upTo(100))?.file.box == .cur)
  }

  @Test func setsFlagsOnAMessageThatChangedMeanwhile() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a,S=3:2,S")
    let folder = try temporary.maildir().folder(.inbox)
    let file = try #require(try folder.messages().first)
    try temporary.rename("cur/1.a,S=3:2,S", "cur/1.a,S=3:2,RS")
    #expect(try folder.setFlags(file, adding: ["F"], removing: []) == true)
    #expect(temporary.names("cur") == ["1.a,S=3:2,FRS"])
  }

  @Test func countsAMessageInBothBoxesOnce() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("new/1.a")
    try temporary.write("cur/1.a:2,S")
    let files = try temporary.maildir().folder(.inbox).messages()
    #expect(files.map(\.box) == [.cur])
  }

  @Test func removesOnlyOldLeftoversFromTmp() throws {
    let temporary = try TemporaryMaildir()
    // Nobody can give a file another time of its last change of status, so the clock is far ahead of it.
    let now = Int(Date().timeIntervalSince1970) + 100 * 3600
    try temporary.write("tmp/old")
    try temporary.write("tmp/young")
    try temporary.write("tmp/future")
    temporary.touch("tmp/old", at: now - 36 * 3600 - 1)
    temporary.touch("tmp/young", at: now - 36 * 3600)
    temporary.touch("tmp/future", at: now + 1000)
    let folder = try temporary.maildir().folder(.inbox)
    #expect(try folder.removeAbandonedFiles(now: now) == 1)
    #expect(temporary.names("tmp") == ["future", "young"])
  }

  @Test func leavesAMessageInTmpThatIsBeingDeliveredWithAnOldDate() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("tmp/from-the-last-century")
    temporary.touch("tmp/from-the-last-century", at: 900_000_000)
    let folder = try temporary.maildir().folder(.inbox)
    #expect(try folder.removeAbandonedFiles(now: Int(Date().timeIntervalSince1970)) == 0)
    #expect(temporary.names("tmp") == ["from-the-last-century"])
  }

  @Test func removesItsOwnFilesFromTmpWhereNoDeliveryIsUnderWay() throws {
    let temporary = try TemporaryMaildir()
    let own = UniqueName.make(at: 1_764_000_000_000, mark: UniqueName.mark(key: "k")) + ",S=3,W=4"
    // Python's mailbox module makes the same names, without sizes.
    let others = ["1764000000.M1P2Q3.\(UniqueName.host)", "1764000000.M1P2Q3.elsewhere,S=3,W=4"]
    for name in [own] + others { try temporary.write("tmp/\(name)") }
    let now = Int(Date().timeIntervalSince1970)
    let folder = try temporary.maildir().folder(.inbox)
    var delivery: BulkDelivery? = try BulkDelivery(to: folder, at: 1_764_000_000_000)
    #expect(delivery != nil)
    #expect(try folder.removeAbandonedFiles(now: now) == 0)
    delivery = nil
    #expect(try folder.removeAbandonedFiles(now: now) == 1)
    #expect(Set(temporary.names("tmp")) == Set(others))
  }

  @Test func listsFoldersOfMaildirPlusPlus() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write(".Archive.2026/cur/1.a:2,S")
    try temporary.write(".Entw&APw-rfe/maildirfolder", "")
    try temporary.write(".git/config", "")
    try temporary.write("notes/cur/1.a", "")
    #expect(try temporary.maildir().folders().map(\.name.display) == ["INBOX", "Archive/2026", "Entwürfe"])
  }

  @Test func findsFoldersWrittenInUTF8() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write(".Entwürfe/cur/1.a:2,")
    let folder = try temporary.maildir().folder(try FolderName("Entwürfe"))
    #expect(try folder.messages().count == 1)
  }

  @Test func makesFoldersThatOtherProgramsRecognise() throws {
    let temporary = try TemporaryMaildir()
    _ = try temporary.maildir().makeFolder(try FolderName("Archiv/März"))
    #expect(temporary.names(".Archiv.M&AOQ-rz") == ["cur", "maildirfolder", "new", "tmp"])
  }

  @Test func refusesWhatIsNoMaildir() throws {
    let temporary = try TemporaryMaildir(boxes: [])
    try temporary.write("letter.txt")
    #expect(throws: ActionError(.invalidInput, "")) { try temporary.maildir() }
    #expect(throws: ActionError(.notFound, "")) { try Maildir(path: temporary.path + "/missing") }
    #expect(try Maildir(path: temporary.path + "/made/below", made: true).folders().count == 1)
    #expect(try Maildir(path: temporary.path + "/made/below", made: true).folders().count == 1)
    #expect(throws: ActionError(.notFound, "")) { try Maildir(path: temporary.path + "/letter.txt") }
  }

  @Test func followsNoLinkToAFolder() throws {
    let outside = try TemporaryMaildir()
    try outside.write("cur/1.a:2,S")
    let temporary = try TemporaryMaildir(boxes: ["new"])
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path + "/.Linked", withDestinationPath: outside.path)
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path + "/cur", withDestinationPath: outside.path + "/cur")
    #expect(throws: FileError.self) { try temporary.maildir().folder(.inbox) }
    #expect(throws: FileError.self) { try temporary.maildir().folder(try FolderName("Linked")) }
  }

  @Test func finishesAMoveThatWasInterrupted() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,S")
    try temporary.write(".B/cur/other:2,")
    try FileManager.default.linkItem(
      atPath: temporary.path + "/cur/1.a:2,S", toPath: temporary.path + "/.B/cur/1.a:2,S")
    let source = try temporary.maildir().folder(.inbox)
    let target = try temporary.maildir().folder(try FolderName("B"))
    let occupied = Dictionary(uniqueKeysWithValues: try target.messages().map { ($0.uid, $0) })
    let file = try #require(try source.messages().first)
    let keywords = try KeywordTranslation([file], from: source, to: target)
    #expect(try source.move(file, to: target, occupied: occupied, keywords: keywords, at: 0) == "1.a")
    #expect(temporary.names("cur") == [])
    #expect(temporary.names(".B/cur") == ["1.a:2,S", "other:2,"])
  }

  @Test func neverReplacesAnotherMessage() throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,S", "mine")
    try temporary.write(".B/cur/1.a:2,S", "theirs")
    let source = try temporary.maildir().folder(.inbox)
    let target = try temporary.maildir().folder(try FolderName("B"))
    let occupied = Dictionary(uniqueKeysWithValues: try target.messages().map { ($0.uid, $0) })
    let file = try #require(try source.messages().first)
    let keywords = try KeywordTranslation([file], from: source, to: target)
    let name = try #require(try source.move(file, to: target, occupied: occupied, keywords: keywords, at: 0))
    #expect(name != "1.a")
    #expect(try temporary.content(".B/cur/1.a:2,S") == "theirs")
    #expect(try temporary.content(".B/cur/\(name):2,S") == "mine")
  }

  @Test(arguments: [
    ("a\n\nb", 3), ("a\r\n\r\nb", 5), ("a\nb", nil), ("", nil), ("\n\n", 2), ("a\n\r\nb", 4),
  ])
  func findsTheEndOfAHeader(_ text: String, _ end: Int?) {
    #expect(Directory.headerEnd(in: Array(text.utf8), from: 0) == end)
  }

  @Test func readsAHeaderWithoutTheBody() throws {
    let temporary = try TemporaryMaildir()
    let header = "Subject: x\n" + String(repeating: "X-Long: \(String(repeating: "y", count: 70))\n", count: 200) + "\n"
    try temporary.write("cur/1.a:2,", header + String(repeating: "body\n", count: 100_000))
    let folder = try temporary.maildir().folder(.inbox)
    let file = try #require(try folder.messages().first)
    let read = try #require(try folder.read(file, .header(limit: 1 << 20)))
    #expect(read.bytes.count == header.utf8.count)
    #expect(try folder.read(file, .header(limit: 100))?.bytes.count == 100)
  }
}
