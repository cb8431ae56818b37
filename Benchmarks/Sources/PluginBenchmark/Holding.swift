import CMemory
import Foundation

/// What a process holds of the system's.
struct Holding: Sendable {
  /// Bytes: of this program those that are allocated and not given back, of a worker those that are in memory.
  var bytes = 0
  /// Open files; `nil` where that may not be seen.
  var files: Int?

  /// What this program holds.
  static func ofThisProcess() -> Holding {
    Holding(bytes: Int(memory_allocated()), files: files(of: "self"))
  }

  init(bytes: Int = 0, files: Int? = nil) {
    self.bytes = bytes
    self.files = files
  }

  /// What another process holds; `nil` where it has ended.
  init?(ofProcess process: pid_t) {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
      return nil
    }
    self.init(bytes: kilobytes << 10, files: Holding.files(of: "\(process)"))
  }

  private static func files(of process: String) -> Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
  }

  /// The processes that this program has started and that have not ended.
  static func children() -> [pid_t] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.flatMap { thread in
      let list = try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)
      return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// What it holds more than before.
  func growth(since before: Holding) -> String {
    let open = files.flatMap { after in before.files.map { "\(after - $0)" } } ?? "?"
    return "\(bytes - before.bytes) bytes, \(open) files"
  }

  /// Whether it holds more than it may.
  func exceeds(_ before: Holding, by tolerance: Int) -> Bool {
    bytes - before.bytes > tolerance || (files ?? 0) > (before.files ?? .max)
  }
}
