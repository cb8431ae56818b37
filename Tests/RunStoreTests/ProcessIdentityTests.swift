import Foundation
import Glibc
import OperatingSystem
import Testing

@testable import RunStore

struct ProcessIdentityTests {
  let here = ProcessIdentity.current

  @Test func theRunningProcessIsThere() {
    #expect(here.isGone() == false)
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
    identity.startTicks = try #require(ProcessSight(of: identity.pid).startTicks)
    #expect(identity.isGone() == false)
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(identity.isGone() == true)
  }

  @Test func anotherProcessWithTheSameNumberIsTakenForGone() {
    var earlier = here
    earlier.startTicks -= 1
    #expect(earlier.isGone() == true)
  }

  @Test(arguments: [
    (Int(getpid()), ProcessSight.hidden), (1, .hidden), (Int(Int32.max), .absent), (0, .absent), (-1, .absent),
    (.max, .absent),
  ])
  func aProcessOfWhichNothingCanBeReadIsHiddenWhileItIsThere(pid: Int, sight: ProcessSight) {
    #expect(ProcessSight(of: pid, in: "/no-such-folder") == sight)
    var identity = here
    identity.pid = pid
    #expect(identity.isGone(in: "/no-such-folder") == (sight == .hidden ? nil : true))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isGone: Bool
    var change: @Sendable (inout ProcessIdentity, _ observer: inout ProcessIdentity) -> Void

    init(
      _ description: String, isGone: Bool,
      _ change: @escaping @Sendable (inout ProcessIdentity, inout ProcessIdentity) -> Void
    ) {
      testDescription = description
      self.isGone = isGone
      self.change = change
    }
  }

  /// A process of the same machine before it was started again, and what differs.
  static let cases: [Case] = [
    Case("an earlier start of this machine", isGone: true) { _, _ in },
    Case("a row of an earlier version", isGone: true) { process, _ in
      process.machine = ""
      process.namespace = ""
    },
    Case("machines that have no mark", isGone: true) { process, observer in
      process.machine = ""
      observer.machine = ""
    },
    Case("another machine of the same name", isGone: false) { process, _ in process.machine = "2" },
    Case("this machine has lost its mark", isGone: false) { _, observer in observer.machine = "" },
    Case("another name", isGone: false) { process, _ in process.host += "-other" },
    Case("a container of an image that has a mark", isGone: false) { process, observer in
      process.namespace = "pid:[4026532300]"
      observer.namespace = "pid:[4026532400]"
    },
    Case("a container, seen from the machine", isGone: false) { process, _ in process.namespace = "pid:[4026532300]" },
    Case("the machine, seen from a container", isGone: false) { _, observer in
      observer.namespace = "pid:[4026532300]"
    },
    Case("a container of the same start", isGone: false) { process, observer in
      process.boot = observer.boot
      process.namespace = "pid:[4026532300]"
    },
  ]

  @Test(arguments: cases) func aProcessOfAnotherStartIsGoneWhereItIsCertainlyTheSameMachine(_ item: Case) {
    var observer = here
    observer.machine = "1"
    observer.namespace = ProcessIdentity.outermostNamespace
    var process = observer
    process.boot = "another"
    process.startTicks -= 1
    item.change(&process, &observer)
    #expect(process.isGone(seenFrom: observer) == (item.isGone ? true : nil))
  }

  @Test func aProcessOfAnotherMachineCountsAsThere() {
    var elsewhere = here
    elsewhere.host += "-other"
    elsewhere.startTicks -= 1
    #expect(elsewhere.isGone() == nil)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"),
    .timeLimit(.minutes(5)))
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
    identity.startTicks = try #require(ProcessSight(of: identity.pid).startTicks)
    #expect(identity.isGone() == false)
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(identity.isGone() == true)
  }
}
