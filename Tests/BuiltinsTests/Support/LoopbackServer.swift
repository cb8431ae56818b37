import Foundation
import Synchronization
import Testing

/// Python's own HTTP server in a process that ends with this one.
final class LoopbackServer: Sendable {
  let port: Int
  private let process: Mutex<Process>
  private let input: FileHandle

  /// Starts the server of `Tests/Fixtures/actions/server.py`.
  init() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Fixtures/actions/server.py")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-u", script.standardizedFileURL.path]
    let (output, input) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    var text = ""
    while !text.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty)
      text += String(decoding: data, as: UTF8.self)
    }
    port = try #require(Int(text.dropLast()))
    self.input = input.fileHandleForWriting
    self.process = Mutex(process)
  }

  deinit {
    try? input.close()
    process.withLock { $0.terminate() }
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
