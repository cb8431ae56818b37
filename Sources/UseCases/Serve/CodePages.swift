import Foundation
import Glibc

/// The program's code in memory.
enum CodePages {
  /// Gives back what of the code has been read so far: most of it was for the start alone. What is needed again comes back from
  /// the cache of the kernel by itself.
  static func release() {
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
      let map = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    else { return }
    for line in map.split(separator: "\n") where line.hasSuffix(" " + program) {
      let fields = line.split(separator: " ", maxSplits: 2)
      let ends = fields.first?.split(separator: "-").compactMap { UInt(String($0), radix: 16) } ?? []
      // Code alone: nobody has written into it, so nothing is lost.
      guard fields.count == 3, fields[1] == "r-xp", ends.count == 2, ends[1] > ends[0] else { continue }
      madvise(UnsafeMutableRawPointer(bitPattern: ends[0]), Int(ends[1] - ends[0]), MADV_DONTNEED)
    }
  }
}
