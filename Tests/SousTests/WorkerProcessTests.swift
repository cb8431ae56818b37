import FixturePlugins
import Foundation
import TestSupport
import Testing

/// Worker processes of a program that is killed.
@Suite(.timeLimit(.minutes(15)))
struct WorkerProcessTests {
  /// The processes that have another one as their parent.
  private func children(of parent: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { process in
      guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")")
      else { return false }
      let fields = stat[end...].split(separator: " ")
      return fields.count > 2 && fields[1] != "Z" && fields[2] == "\(parent)"
    }
  }

  private func isRunning(_ process: Int32) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return false }
    return !stat[end...].hasPrefix(") Z")
  }

  @Test func noWorkerOutlivesAProgramThatIsKilled() async throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers:\n  odd: { plugin: \"\(try FixtureLibrary.flaky())\" }\n")
    try sous.write("x.yaml", "name: x\nsteps:\n  - { id: a, uses: flaky.sleep, with: { ms: 600000 } }\n")
    // Tried out before, so that the only child is the worker.
    _ = try sous("plugins", "show", try FixtureLibrary.flaky())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["run", "x.yaml"]
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    var worker: Int32?
    try await eventually {
      worker = children(of: process.processIdentifier).first { child in
        (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8))?.contains("plugin-worker") == true
      }
      return worker != nil
    }
    let child = try #require(worker)
    // Nothing of the surroundings of the program reaches it.
    let environment = (try? String(contentsOfFile: "/proc/\(child)/environ", encoding: .utf8)) ?? ""
    #expect(!environment.contains("SOUS") && !environment.contains("XDG_CACHE_HOME"))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try await eventually { !isRunning(child) }
    #expect(!isRunning(child))
  }
}
