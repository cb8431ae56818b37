import Foundation

/// The programs of poppler-utils, which read PDF documents back; nobody here wrote them.
enum PopplerTool {
  static var isInstalled: Bool {
    ["pdftotext", "pdfinfo", "pdffonts"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }
  }

  /// What a program says of a document.
  static func run(_ name: String, _ arguments: [String] = [], on pdf: [UInt8]) throws -> String {
    let file = NSTemporaryDirectory() + "/document-" + UUID().uuidString + ".pdf"
    try Data(pdf).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/" + name)
    process.arguments = arguments + [file] + (name == "pdftotext" ? ["-"] : [])
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
