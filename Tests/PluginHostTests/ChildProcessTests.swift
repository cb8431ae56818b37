import FixturePlugins
import Foundation
import Testing

@testable import PluginHost

@Suite(.timeLimit(.minutes(5)))
struct ChildProcessTests {
  private func shell(_ script: String, limit: Double = 30) throws -> ChildProcess.Ending {
    try ChildProcess.run("/bin/sh", ["-c", script], limit: limit)
  }

  @Test func statusAndOutputAreKept() throws {
    let ending = try shell("echo out; echo err >&2; exit 3")
    #expect(ending.status == .exited(3))
    #expect(String(decoding: ending.output, as: UTF8.self) == "out\n")
    #expect(ending.errors == "err")
  }

  @Test func busyGrandchildDoesNotDefeatTheDeadline() throws {
    let ending = try shell("echo report; (while :; do echo noise; done) & exit 0", limit: 0.3)
    #expect(ending.status == .exited(0))
    #expect(String(decoding: ending.output.prefix(7), as: UTF8.self) == "report\n")
  }

  @Test func whatWasReportedBeforeTheDeadlineIsKept() throws {
    let ending = try shell("echo report; exec sleep 600", limit: 0.3)
    #expect(ending.status == .timedOut)
    #expect(String(decoding: ending.output, as: UTF8.self) == "report\n")
  }

  @Test func inheritedIgnoranceOfChildrenDoesNotHideTheirEnd() throws {
    // The program ignores SIGCHLD from its start, and tries a plugin out in a child of its own.
    let folder = try FixtureLibrary.makeFolder()
    try FileManager.default.copyItem(atPath: try FixtureLibrary.flaky(), toPath: folder + "/libflaky.so")
    let ending = try shell(
      """
      cd '\(folder)' && HOME='\(folder)' XDG_CACHE_HOME='\(folder)/cache' SOUS_PLUGIN_PATH='\(folder)' \
      exec env --ignore-signal=CHLD '\(FixtureLibrary.executable)' plugins
      """)
    #expect(ending.status == .exited(0))
    #expect(String(decoding: ending.output, as: UTF8.self).contains("flaky"))
  }
}
