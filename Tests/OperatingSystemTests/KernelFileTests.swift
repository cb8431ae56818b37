import OperatingSystem
import Testing

/// Files of `/proc`.
struct KernelFileTests {
  /// The kernel gives the file in pieces of 4 KiB at the most, and says that its size is 0.
  @Test func aLongFileOfTheKernelIsReadWhole() throws {
    let text = try #require(KernelFile.wholeText(of: "/proc/self/maps"))
    #expect(text.utf8.count > 4096 && text.contains("[stack]"))
    #expect(KernelFile.wholeText(of: "/proc/self/no-such-file") == nil)
  }
}
