import Glibc
import OperatingSystem

/// The kernel's entry of a process; see proc_pid_stat(5).
struct ProcessEntry: Hashable {
  let process: pid_t
  let parent: pid_t
  let group: pid_t
  let session: pid_t
  /// Clock ticks from the start of the machine to that of the process. Number and start together are unique; the kernel
  /// reuses numbers.
  let start: UInt64
  /// Whether the process has ended and its parent has not read its status yet.
  let isZombie: Bool

  /// Reads the entry of a process; `nil` if it has ended and is not a zombie.
  init?(_ process: pid_t) {
    guard let bytes = Self.read("/proc/\(process)/stat", limit: 4096) else { return nil }
    // The name of the program, in parentheses, may contain anything.
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard fields.count > 19, let parent = pid_t(fields[1]), let group = pid_t(fields[2]),
      let session = pid_t(fields[3]), let start = UInt64(fields[19])
    else { return nil }
    self.process = process
    self.parent = parent
    self.group = group
    self.session = session
    self.start = start
    isZombie = fields[0] == "Z" || fields[0] == "X"
  }

  /// Whether the process runs, or has ended and was not reaped.
  var exists: Bool { ProcessEntry(process)?.start == start }

  /// The processes that `/proc` shows: those of this machine or container.
  static func all() -> [ProcessEntry] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [ProcessEntry] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let number = pid_t(name), let process = ProcessEntry(number) else { continue }
      found.append(process)
    }
    return found
  }

  /// Whether the process belongs to this user and its environment contains a variable.
  ///
  /// - Parameter variable: `NAME=value` as bytes.
  func has(variable: [UInt8]) -> Bool {
    var information = stat()
    guard stat("/proc/\(process)", &information) == 0, information.st_uid == geteuid(),
      let environment = Self.read("/proc/\(process)/environ", limit: 4 << 20)
    else { return false }
    return environment.split(separator: 0).contains { $0.elementsEqual(variable) }
  }

  /// The kernel's ID of this start of the machine; empty if `/proc` does not have it.
  static let boot =
    read("/proc/sys/kernel/random/boot_id", limit: 100).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    } ?? ""

  /// The content of a file, read until its end or the first block past `limit` bytes; `nil` if it cannot be read.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    guard let file = try? Descriptor(opening: path, O_RDONLY | O_NOFOLLOW) else { return nil }
    return try? file.readAll(limit: limit)
  }
}
