import Foundation

/// The Python program `mail.py`, which does the same work with other libraries: a line in, a line out.
final class MailPeer {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread: [UInt8] = []

  init(python: String, script: String) throws {
    signal(SIGPIPE, SIG_IGN)
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
  func ask(_ request: String) -> String? {
    guard (try? input.fileHandleForWriting.write(contentsOf: Array("\(request)\n".utf8))) != nil else { return nil }
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        return line
      }
      let chunk = output.fileHandleForReading.availableData
      if chunk.isEmpty { return nil }
      unread += chunk
    }
  }
}
