import Foundation
import OperatingSystem
import TestWorkspace
import Testing

extension TestServer {
  /// Lets the program that was built beside the tests read the manifests of the plugins: this process cannot, as it is not
  /// `sous`, but it finds them in the cache then.
  func readManifests() async throws {
    let folder = place.folder
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = (own as NSString).deletingLastPathComponent + "/sous"
    let status = try await BlockingPool.shared.run {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = ["plugins", "list", "--json"]
      process.currentDirectoryURL = URL(fileURLWithPath: folder)
      process.environment = ["HOME": folder, "XDG_CACHE_HOME": folder + "/cache", "PATH": "/usr/bin:/bin"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    try #require(status == 0)
  }
}
