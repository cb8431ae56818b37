import Foundation
import Glibc
import Schedules

/// What tells whether a file has changed, and what its recipe was planned with: a hash that stays the same from one process
/// to the next.
struct FileMark {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The mark of a file within a context.
  static func of(_ facts: stat, in context: FileMark) -> Int64 {
    var mark = context
    mark.add(facts)
    return Int64(bitPattern: mark.value)
  }

  /// The mark of several files together; a file that is missing counts as well.
  static func of(_ paths: [String]) -> UInt64 {
    var mark = FileMark()
    for path in paths {
      var facts = stat()
      if stat(path, &facts) == 0 { mark.add(facts) } else { mark.add(1) }
    }
    return mark.value
  }

  /// What all recipes of a workspace depend on: the program, `sous.yaml`, the zone of the clock.
  static func context(of workspace: Workspace) -> FileMark {
    var mark = FileMark()
    for path in ["/proc/self/exe", workspace.configurationPath].compactMap(\.self) {
      var facts = stat()
      if stat(path, &facts) == 0 { mark.add(facts) }
      mark.add(UInt64(path.utf8.count))
    }
    for byte in Zone.current.identifier.utf8 { mark.add(UInt64(byte)) }
    return mark
  }

  private mutating func add(_ facts: stat) {
    add(UInt64(bitPattern: Int64(facts.st_mtim.tv_sec)))
    add(UInt64(bitPattern: Int64(facts.st_mtim.tv_nsec)))
    add(UInt64(bitPattern: Int64(facts.st_size)))
    add(UInt64(facts.st_ino))
  }

  /// FNV-1a, eight bytes at a time, with the bits above brought down.
  private mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x100_0000_01b3
    value ^= value >> 29
  }
}
