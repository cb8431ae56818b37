import Foundation

/// The browser of the person at this machine.
enum Browser {
  /// Opens a page with xdg-open, if there is a display and that program.
  ///
  /// - Returns: Whether it was asked to.
  static func open(_ url: String) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    guard hasDisplay, let program = find("xdg-open", environment["PATH"] ?? "") else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [url]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    return true
  }

  private static func find(_ name: String, _ path: String) -> String? {
    path.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { $0 + "/" + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
