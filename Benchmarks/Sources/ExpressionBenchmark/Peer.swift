import Expressions
import Foundation

/// The Python program `peer.py`, which does the same work on request.
final class Peer {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread: [UInt8] = []

  /// Starts the program.
  init(python: String, script: String) throws {
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
  func ask(_ request: Value) -> Value? {
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

  /// Seconds for doing a piece of work so many times.
  func seconds(_ name: String, count: Int) -> Double? {
    ask(["run": .string(name), "count": .int(Int64(count))])?["seconds"]?.doubleValue
  }
}
