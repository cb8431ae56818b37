import Foundation
import Synchronization

/// Compiles the C plugins of `Tests/Fixtures/plugins` into a temporary folder, each variant once per process.
package enum FixtureLibrary {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// A well-behaved plugin.
  package static func flaky() throws -> String { try build("flaky", variant: "flaky", flags: []) }

  /// The smallest plugin.
  package static func echo() throws -> String { try build("echo", variant: "echo", flags: []) }

  /// The smallest plugin, compiled against the first released header.
  package static func echoOfTheFirstHeader() throws -> String {
    try build("echo", variant: "echo-1.0", flags: ["-DHEADER=\"sous_plugin-1.0.h\""], header: "Tests/Fixtures/plugins")
  }

  /// The smallest plugin, with a table as a later header may have it.
  package static func echoOfALaterHeader() throws -> String {
    try build("echo", variant: "echo-later", flags: ["-DLARGER_TABLE"])
  }

  /// The smallest plugin, which makes a file as soon as it is opened.
  package static func marking(_ path: String) throws -> String {
    try build("echo", variant: "marking-\(path.hashValue)", flags: ["-DMARK=\"\(path)\""])
  }

  /// A plugin for `chat` that answers with given texts, as JSON strings: the first call with one, all others with another.
  ///
  /// - Parameter members: What stands beside an answer's own members: `"city": 7,`.
  package static func parrot(_ first: String, then second: String, members: String = "") throws -> String {
    func literal(_ text: String) -> String {
      "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }
    return try build(
      "parrot", variant: "parrot-\(first.hashValue)-\(second.hashValue)-\(members.hashValue)",
      flags: ["-DFIRST=\(literal(first))", "-DSECOND=\(literal(second))", "-DMEMBERS=\(literal(members))"])
  }

  /// `libparcel.so`, a plugin to install.
  ///
  /// - Parameters:
  ///   - version: Its version.
  ///   - members: Further members of its manifest, as JSON, each with a comma behind it.
  ///   - isCareless: Whether it does not look at the name of an action.
  package static func parcel(_ version: String, members: String = "", careless isCareless: Bool = false) throws
    -> String
  {
    func literal(_ text: String) -> String { "\"" + text.replacingOccurrences(of: "\"", with: "\\\"") + "\"" }
    return try build(
      "parcel", variant: "parcel-\(version)-\(members.hashValue)-\(isCareless)",
      flags: ["-DVERSION=\(literal(version))", "-DMEMBERS=\(literal(members))"] + (isCareless ? ["-DCARELESS"] : []))
  }

  /// A plugin that gives its secrets away.
  package static func leaky() throws -> String { try build("leaky", variant: "leaky", flags: []) }

  /// A plugin that loses memory.
  package static func forgetful() throws -> String { try build("forgetful", variant: "forgetful", flags: []) }

  /// A plugin that leaves every check of its input to the host.
  package static func careless() throws -> String { try build("careless", variant: "careless", flags: []) }

  /// A plugin that asks the host for everything.
  package static func services() throws -> String { try build("services", variant: "services", flags: []) }

  /// `libmisbehaving.so` with a misdeed of `misbehaving.c`.
  package static func misbehaving(_ misdeed: String = "NONE") throws -> String {
    try build("misbehaving", variant: misdeed, flags: ["-DMISDEED=\(misdeed)"])
  }

  /// `libmisbehaving.so` without an entry function.
  package static func withoutEntry() throws -> String {
    try build("misbehaving", variant: "without-entry", flags: ["-DWITHOUT_ENTRY"])
  }

  /// `libmisbehaving.so` with a reference to a function that nobody has.
  package static func withMissingSymbol() throws -> String {
    try build("misbehaving", variant: "missing-symbol", flags: ["-DWITH_MISSING_SYMBOL"])
  }

  /// A new, empty temporary folder, removed when the process ends.
  package static func makeFolder(_ name: String = UUID().uuidString) throws -> String {
    _ = removal
    let folder = root + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// The `sous` executable that was built beside the tests.
  package static var executable: String {
    (PluginSearchFolder.ofTests ?? ".") + "/sous"
  }

  // Containers that share the folder may have processes of the same number.
  private static let root = "/tmp/sous-plugin-tests-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"

  private static let removal: Void = {
    atexit { try? FileManager.default.removeItem(atPath: FixtureLibrary.root) }
  }()

  private static let built = Mutex<[String: String]>([:])

  private static func build(
    _ source: String, variant: String, flags: [String],
    header: String = "plugins/PluginKit/Sources/CPluginABI/include"
  ) throws -> String {
    try built.withLock { built in
      if let path = built[variant] { return path }
      let repository = try repositoryRoot()
      let path = try makeFolder(variant) + "/lib\(source).so"
      let arguments =
        ["-shared", "-fPIC", "-pthread", "-O0"] + flags
        + ["-I", repository + "/" + header]
        + ["-o", path, repository + "/Tests/Fixtures/plugins/\(source).c"]
      let process = Process()
      let errors = Pipe()
      process.executableURL = URL(fileURLWithPath: try compiler())
      process.arguments = arguments
      process.standardError = errors
      try process.run()
      let words = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(description: String(decoding: words, as: UTF8.self))
      }
      built[variant] = path
      return path
    }
  }

  private static func repositoryRoot() throws -> String {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      if FileManager.default.fileExists(atPath: folder.path + "/Tests/Fixtures/plugins") { return folder.path }
    }
    throw Failure(description: "no Tests/Fixtures/plugins above \(#filePath)")
  }

  private static func compiler() throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    for name in ["cc", "clang", "gcc"] {
      for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
        return "\(folder)/\(name)"
      }
    }
    throw Failure(description: "no C compiler (cc, clang, gcc) along PATH")
  }
}

/// Where the test executable lies.
package enum PluginSearchFolder {
  package static var ofTests: String? {
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return executable.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
  }
}
