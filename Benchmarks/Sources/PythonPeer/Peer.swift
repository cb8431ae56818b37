public import Expressions
import Foundation

/// The Python program `peer.py`, which does the same work on request.
public final class Peer {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread: [UInt8] = []

  /// Starts the program.
  public init(python: String, script: String) throws {
    process.executableURL = URL(filePath: python)
    process.arguments = [script]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Sends a request and reads the answer; `nil` where the program has ended.
  public func ask(_ request: Value) -> Value? {
    do {
      try input.fileHandleForWriting.write(contentsOf: request.json() + [UInt8(ascii: "\n")])
    } catch {
      return nil
    }
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = unread[..<end]
        unread.removeSubrange(...end)
        return try? Value(json: line)
      }
      let chunk = output.fileHandleForReading.availableData
      if chunk.isEmpty { return nil }
      unread += chunk
    }
  }

  /// Seconds of the processor for doing a piece of work so many times.
  public func seconds(_ name: String, count: Int) -> Double? {
    ask(["run": .string(name), "count": .int(Int64(count))])?["seconds"]?.doubleValue
  }
}

/// The middle of some figures.
public func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// A text with blanks behind it.
public func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// Seconds of the processor for doing something so many times: what else runs on the machine does not count.
public func seconds(count: Int, _ body: () throws -> Void) rethrows -> Double {
  let start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
  for _ in 0..<count { try body() }
  return Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start) / 1e9
}

private func nanoseconds(_ clock: clockid_t) -> Int {
  var time = timespec()
  clock_gettime(clock, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// How often something is done in about 20 ms.
public func count(_ measure: (Int) throws -> Double?) rethrows -> Int {
  var count = 1
  while count < 1 << 24, let taken = try measure(count), taken < 0.01 { count *= 2 }
  return count
}
