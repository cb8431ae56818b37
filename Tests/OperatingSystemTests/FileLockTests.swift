import Foundation
import OperatingSystem
import TestSupport
import Testing

@Suite struct FileLockTests {
  @Test func secondHolderIsRefusedUntilTheFirstReleases() throws {
    let folder = try TemporaryFolder()
    let first = try #require(try FileLock(path: folder.path + "/lock"))
    #expect(try FileLock(path: folder.path + "/lock") == nil)
    #expect(folder.permissions("lock") == 0o600)
    first.release()
    first.release()
    #expect(try FileLock(path: folder.path + "/lock") != nil)
  }

  @Test func sharedLocksExcludeAnExclusiveOne() throws {
    let folder = try TemporaryFolder()
    func opened() throws -> Descriptor { try Descriptor(opening: folder.path, O_RDONLY | O_DIRECTORY) }
    let first = try #require(try FileLock(opened(), .shared))
    let second = try #require(try FileLock(opened(), .shared))
    #expect(try FileLock(opened()) == nil)
    first.release()
    second.release()
    #expect(try FileLock(opened()) != nil)
  }

  @Test(arguments: [60, Double.infinity])
  func lockIsTakenAsSoonAsItIsFree(patience: Double) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let first = try #require(try FileLock(Descriptor(opening: path, O_RDONLY | O_DIRECTORY)))
    async let second = NamedThread.run("second") {
      try? FileLock(Descriptor(opening: path, O_RDONLY | O_DIRECTORY), patience: patience)
    }
    first.release()
    #expect(await second != nil)
    withExtendedLifetime(folder) {}
  }
}
