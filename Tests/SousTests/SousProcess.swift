import Expressions
import Foundation
import Localization

/// The built program, run as a person would.
struct SousProcess {
  /// What a run of the program has left.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    /// Standard output read as JSON.
    var json: Value { get throws { try Value(json: Array(output.utf8)) } }
  }

  /// The folder it runs in; everything it keeps stays below.
  let folder: String
  var environment: [String: String]

  init() throws {
    folder = NSTemporaryDirectory() + "/sous-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    environment = [
      "HOME": folder, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LANG": "C.UTF-8",
      "XDG_CACHE_HOME": folder + "/cache",
      // Trusts every folder; TrustCommandTests removes it.
      "SOUS_TRUST": "/",
      "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
    ]
  }

  /// Ends the test's use of the folder.
  func remove() {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The program beside the test executable.
  static let executable: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (tests as NSString).deletingLastPathComponent + "/sous"
  }()

  /// The root of the sources.
  static let repository: String = {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
      folder.deleteLastPathComponent()
    }
    return folder.path
  }()

  /// Writes a file below the folder.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let path = folder + "/" + name
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Runs the program to its end.
  func callAsFunction(_ arguments: String...) throws -> Outcome {
    try run(Self.executable, arguments)
  }

  /// Runs a command to its end.
  func run(_ executable: String, _ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    // Files instead of pipes: nothing can fill up.
    let output = folder + "/.stdout-" + UUID().uuidString
    let errors = folder + "/.stderr-" + UUID().uuidString
    for path in [output, errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self),
      errors: String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self))
  }
}
