import Foundation

/// Libraries of others that say what comes next: croniter, python-dateutil and astral, from `.build/peers-time`.
enum Judge {
  struct Failure: Error {
    var text: String
  }

  static let isInstalled = FileManager.default.fileExists(atPath: folder + "/installed")
  static let advice = "Scripts/install-peers.sh installs what this compares with"

  private static var repository: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .path
  }
  private static var folder: String { repository + "/.build/peers-time" }

  /// Asks for the answers to all cases, in one process.
  ///
  /// - Returns: For each case its answer, or why there is none.
  static func answers<Answer: Decodable>(
    to cases: [some Encodable], _ type: Answer.Type
  ) throws -> [Result<Answer, Failure>] {
    let encoder = JSONEncoder()
    var input = Data()
    for one in cases {
      input.append(try encoder.encode(one))
      input.append(0x0A)
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("judge-\(UUID().uuidString).jsonl")
    try input.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: folder + "/bin/python")
    process.arguments = [repository + "/Tests/Fixtures/peers/schedules_judge.py"]
    process.environment = ["PATH": "/usr/bin:/bin", "PYTHONWARNINGS": "ignore"]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let decoder = JSONDecoder()
    let lines = try data.split(separator: 0x0A).map { try decoder.decode(JudgeLine<Answer>.self, from: $0) }
    guard lines.count == cases.count else { throw Failure(text: "\(lines.count) answers to \(cases.count) cases") }
    return lines.map { line in
      if let error = line.error { return .failure(Failure(text: error)) }
      return line.answer.map { .success($0) } ?? .failure(Failure(text: "none"))
    }
  }
}

private struct JudgeLine<Answer: Decodable>: Decodable {
  var answer: Answer?
  var error: String?
}
