import Foundation
import OperatingSystem
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  @Test func fileAppearsUnderItsNameWhenItIsComplete() throws {
    let folder = try TemporaryFolder()
    let file = try AtomicFile(folder.path + "/a", temporary: folder.path + "/b", mode: 0o640)
    try file.write(Array("half".utf8))
    #expect(folder.names == ["b"])
    try file.write(Array(" whole".utf8))
    try file.finish()
    #expect(folder.names == ["a"])
    #expect(folder.text("a") == "half whole")
    #expect(folder.permissions("a") == 0o640)
  }

  @Test func incompleteFileLeavesNothingBehind() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write(Array("old".utf8), to: folder.path + "/a", mode: nil)
    do {
      let file = try AtomicFile(folder.path + "/a", mode: nil)
      try file.write(Array("new".utf8))
    }
    #expect(folder.names == ["a"])
    #expect(folder.text("a") == "old")
  }

  @Test func takenNameIsRefusedAndKept() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    try AtomicFile.write(Array("first".utf8), to: path, mode: nil, replacing: false)
    #expect(throws: SystemError(EEXIST)) {
      try AtomicFile.write(Array("second".utf8), to: path, mode: nil, replacing: false)
    }
    #expect(folder.names == ["a"])
    #expect(folder.text("a") == "first")
    try AtomicFile.write(Array("third".utf8), to: path, mode: nil)
    #expect(folder.text("a") == "third")
  }

  @Test func fileIsWrittenInAnOpenFolderThatWasRenamed() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/x", withIntermediateDirectories: false)
    let open = try Descriptor(opening: folder.path + "/x", O_RDONLY | O_DIRECTORY)
    try FileManager.default.moveItem(atPath: folder.path + "/x", toPath: folder.path + "/y")
    try AtomicFile.write(Array("text".utf8), to: "a", in: open, mode: 0o600)
    #expect(folder.text("y/a") == "text")
  }

  @Test func linkUnderTheTemporaryNameIsNotFollowed() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write(Array("kept".utf8), to: folder.path + "/target", mode: nil)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/b", withDestinationPath: folder.path + "/target")
    try AtomicFile.write(Array("new".utf8), to: folder.path + "/a", temporary: folder.path + "/b", mode: nil)
    #expect(folder.text("target") == "kept")
    #expect(folder.names == ["a", "target"])
  }

  @Test func missingFolderIsAnError() {
    #expect(throws: SystemError(ENOENT)) { try AtomicFile("/nowhere/at/all", mode: nil) }
  }
}
