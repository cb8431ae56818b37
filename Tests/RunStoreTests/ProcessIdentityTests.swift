import Foundation
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
}
