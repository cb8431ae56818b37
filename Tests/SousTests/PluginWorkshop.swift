import Foundation

/// A folder outside the repository in which the document's way to a plugin in Swift has been gone, once for all tests.
struct PluginWorkshop: Sendable {
  struct Failure: Error, CustomStringConvertible { let description: String }

  let sous: SousProcess
  let document: MarkdownDocument

  var swiftPlugin: String { sous.folder + "/weather" }

  static let shared = Result { try PluginWorkshop() }

  static let hasTools: Bool = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return ["swift", "make", "cc"].allSatisfy { tool in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
    }
  }()

  private init() throws {
    var sous = try SousProcess()
    sous.environment["PATH"] =
      (SousProcess.executable as NSString).deletingLastPathComponent + ":" + (sous.environment["PATH"] ?? "")
    self.sous = sous
    PluginWorkshop.remove(sous.folder)
    document = try MarkdownDocument(path: SousProcess.repository + "/docs/plugins.md")
    let outcomes = try follow(document.console(beginningWith: "sous plugins new weather"))
    guard outcomes.last?.output.contains("Hello, Ada!") == true else {
      throw Failure(description: outcomes.last?.output ?? "")
    }
  }

  /// Runs the lines of a transcript one after the other, `cd` included; every one has to succeed.
  func follow(_ commands: [String]) throws -> [SousProcess.Outcome] {
    guard !commands.isEmpty else { throw Failure(description: "the document has no such transcript") }
    var folder = sous.folder
    var outcomes: [SousProcess.Outcome] = []
    for command in commands {
      if command.hasPrefix("cd ") {
        folder += "/" + command.dropFirst(3)
        continue
      }
      let outcome = try shell(command, in: folder)
      guard outcome.status == 0 else {
        throw Failure(description: "\(command)\n\(outcome.output.suffix(4000))\(outcome.errors.suffix(4000))")
      }
      outcomes.append(outcome)
    }
    return outcomes
  }

  func shell(_ command: String, in folder: String) throws -> SousProcess.Outcome {
    try sous.run("/bin/sh", ["-c", "cd '\(folder)' && \(command)"])
  }

  /// Takes a folder away when the tests are over.
  private static func remove(_ folder: String) {
    folders.append(folder)
    _ = removal
  }

  // Written before the tests that use it begin, read when the process ends.
  private nonisolated(unsafe) static var folders: [String] = []
  private static let removal: Void = {
    atexit { for folder in PluginWorkshop.folders { try? FileManager.default.removeItem(atPath: folder) } }
  }()
}

/// The blocks of code in a document.
struct MarkdownDocument: Sendable {
  struct Block: Sendable {
    /// What stands behind the fence: `swift declarations`.
    let info: [Substring]
    let text: String
  }

  let blocks: [Block]

  init(path: String) throws {
    var blocks: [Block] = []
    var open: (info: [Substring], lines: [Substring])?
    for line in try String(contentsOfFile: path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(Block(info: block.info, text: block.lines.joined(separator: "\n") + "\n"))
          open = nil
        } else {
          open = (line.dropFirst(3).split(separator: " "), [])
        }
      } else {
        open?.lines.append(line)
      }
    }
    self.blocks = blocks
  }

  /// The blocks in a language.
  func blocks(_ language: String) -> [Block] { blocks.filter { $0.info.first.map(String.init) == language } }

  /// The commands of the transcript whose first one begins so.
  func console(beginningWith start: String) -> [String] {
    for block in blocks("console") {
      let commands = block.text.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
      if commands.first?.hasPrefix(start) == true { return commands }
    }
    return []
  }
}
