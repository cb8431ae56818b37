import Foundation
import Glibc
import Testing

@testable import RunStore

struct ProcessIdentityTests {
  let here = ProcessIdentity.current

  @Test func theRunningProcessIsThere() {
    #expect(!here.isGone())
    #expect(here.pid == Int(ProcessInfo.processInfo.processIdentifier))
    #expect(here.startTicks > 0)
    #expect(!here.boot.isEmpty)
  }

  @Test func aProcessThatWasWaitedForIsGone() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/cat")
    let input = Pipe()
    process.standardInput = input
    try process.run()
    var identity = here
    identity.pid = Int(process.processIdentifier)
    identity.startTicks = try #require(ProcessIdentity.startTicks(of: identity.pid))
    #expect(!identity.isGone())
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(identity.isGone())
  }

  @Test func anotherProcessWithTheSameNumberIsTakenForGone() {
    var earlier = here
    earlier.startTicks -= 1
    #expect(earlier.isGone())
  }

  @Test func everyProcessOfAnEarlierBootIsGone() {
    var earlier = here
    earlier.boot = "another"
    #expect(earlier.isGone())
  }

  @Test func aProcessOfAnotherMachineCountsAsThere() {
    var elsewhere = here
    elsewhere.host += "-other"
    elsewhere.startTicks -= 1
    #expect(!elsewhere.isGone())
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"),
    .timeLimit(.minutes(1)))
  func aProcessWhoseFirstThreadHasEndedIsThere() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c",
      """
      import ctypes, sys, threading
      threading.Thread(target=sys.stdin.read).start()
      print("begun", flush=True)
      ctypes.CDLL(None).pthread_exit(None)
      """,
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(output.fileHandleForReading.availableData.isEmpty == false)
    var identity = here
    identity.pid = Int(process.processIdentifier)
    let path = "/proc/\(identity.pid)/stat"
    while try !String(contentsOfFile: path, encoding: .utf8).contains(") Z ") { sched_yield() }
    identity.startTicks = try #require(ProcessIdentity.startTicks(of: identity.pid))
    #expect(!identity.isGone())
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(identity.isGone())
  }
}
