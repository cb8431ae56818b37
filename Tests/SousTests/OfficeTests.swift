import Foundation
import Testing

/// Short days of `Scripts/office`, with Dovecot, Postfix and eight recipes. Its judge reads mailboxes, files and run log; `make office`
/// plays longer days.
@Suite(
  .serialized, .timeLimit(.minutes(30)),
  .enabled(
    if: getuid() == 0 && DovecotServer.program != nil
      && ["/usr/sbin/postfix", "/usr/lib/dovecot/lmtp"].allSatisfy(FileManager.default.isExecutableFile(atPath:)),
    "needs Dovecot with LMTP, Postfix, and to be root"))
struct OfficeTests {
  /// `timeout` sends SIGTERM after 15 minutes, so that the script ends its servers too.
  private func office(_ settings: [String: String], _ options: String...) throws -> SousProcess.Outcome {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment.merge(settings) { $1 }
    return try sous.run(
      "/usr/bin/env",
      [
        "timeout", "-k", "60", "900", "python3", SousProcess.repository + "/Scripts/office", SousProcess.executable,
        "--short",
      ] + options)
  }

  @Test func shortDayLosesNothingAndDoesNothingTwice() throws {
    let outcome = try office(["SEED": "29"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains(": 0 violations"))
  }

  @Test func theJudgeFindsEachPlantedMistake() throws {
    let outcome = try office(["SEED": "7", "MESSAGES": "24", "KILLS": "0"], "--plant", "all")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    // Ten kinds of mistakes.
    #expect(outcome.output.components(separatedBy: "': found: ").count - 1 == 10)
  }
}
