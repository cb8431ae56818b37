import Foundation
import OperatingSystem
import TestSupport
import Testing

@Suite struct DescriptorTests {
  @Test func descriptorIsClosedOnExecAndWithItsLastReference() throws {
    let number: Int32
    do {
      let file = try Descriptor(opening: "/dev/null", O_RDONLY)
      number = file.number
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
      withExtendedLifetime(file) {}
    }
    // Another test can have got the number since: only what it leads to shows that the file is closed.
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
    #expect(target != "/dev/null")
  }

  @Test(arguments: [0, 1, 300_000])
  func bytesAreReadAsTheyWereWritten(count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let file = try Descriptor(namelessIn: folder.path)
    #expect(folder.names.isEmpty)
    try file.write(bytes)
    #expect(try file.readAll(at: 0, limit: .max) == bytes)
    #expect(try file.readAll(at: count / 2, limit: 100) == Array(bytes[(count / 2)...].prefix(100)))
    #expect(try file.status.st_size == count)
  }

  /// A pipe takes 64 KiB: the rest is written when a reader makes room.
  @Test func writeWaitsForANonBlockingPipe() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    NamedThread.start("writer") {
      try? Descriptor.write(bytes, to: writing)
      close(writing)
    }
    #expect(try Descriptor.readAll(from: reading, limit: .max) == bytes)
  }

  @Test func errorOfTheSystemIsGivenAsItsNumber() {
    #expect(throws: SystemError(ENOENT)) { try Descriptor(opening: "/nowhere/at/all", O_RDONLY) }
    #expect(throws: SystemError(EBADF)) { try Descriptor.write([1], to: -1) }
  }
}
