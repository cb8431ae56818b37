import Engine
import Expressions
import Foundation
import TestSupport
import Testing

@testable import Builtins

/// Programs that outlived the process that started them.
@Suite(.timeLimit(.minutes(5))) struct ProgramRegisterTests {
  private let folder: TemporaryFolder
  private let register: ProgramRegister
  private let key = "R\(UUID().uuidString).a"

  init() throws {
    folder = try TemporaryFolder()
    register = ProgramRegister(stateFolder: folder.path)
  }

  /// Starts a script in a session of its own, whose parent has ended.
  ///
  /// - Returns: The process numbers that it writes to `ready`.
  private func orphan(_ script: String, key: String?) async throws -> [Int32] {
    let ready = folder("ready-\(UUID().uuidString)")
    let caller = BuiltinCaller(BuiltinSurroundings(folder: folder.path, environment: ["PATH": "/usr/bin:/bin"]))
    _ = try await caller.perform(
      "exec",
      [
        // The step ends all processes of its session, so it waits until the script has left the session.
        "command": [
          "sh", "-c",
          "setsid sh -c \"$SCRIPT\" >/dev/null 2>&1 </dev/null & until [ -s \"$READY\" ]; do sleep 0.01; done",
        ],
        "environment": ["SCRIPT": .string(script), "READY": .string(ready), "SOUS_KEY": .string(key ?? "none")],
      ])
    let text = try String(contentsOfFile: ready, encoding: .utf8)
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    try #require(numbers.count == 2)
    return numbers
  }

  private func runs(_ number: Int32) -> Bool { ProcessEntry(number).map { !$0.isZombie } ?? false }

  @Test(arguments: ["wait", "trap '' TERM; while :; do sleep 1000; done"])
  func aProgramIsFoundByItsKeyAndEndedWithAllOfItsSession(script: String) async throws {
    // The second process has lost its environment.
    let numbers = try await orphan("env -i sleep 1000 & echo $$ $! > \"$READY\"; \(script)", key: key)
    _ = register.note(numbers[0], run: "R", key: key, stop: StopWay(grace: 0.2))
    let found = await register.running(key: key)
    #expect(found.first == numbers[0] && Set(found).isSuperset(of: numbers))
    #expect(await register.end(key: key).isEmpty)
    #expect(!numbers.contains(where: runs))
    #expect(await register.running(key: key).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("programs")).isEmpty)
  }

  @Test func aNotedProgramWithoutItsEnvironmentIsFound() async throws {
    let numbers = try await orphan("echo $$ $$ > \"$READY\"; exec env -i sleep 1000", key: nil)
    _ = register.note(numbers[0], run: "R", key: key, stop: StopWay(grace: 0.2))
    #expect(await register.running(key: key) == [numbers[0]])
    #expect(await register.end(key: key).isEmpty)
    #expect(!runs(numbers[0]))
  }

  @Test func otherProcessesAreNotTouched() async throws {
    let numbers = try await orphan("sleep 1000 & echo $$ $! > \"$READY\"; wait", key: key + "0")
    // The number of a program that has ended, used again by another one.
    let start = try #require(ProcessEntry(numbers[0])).start
    _ = register.note(numbers[0], run: "R", key: key, stop: StopWay(grace: 0.2))
    let notes = folder("programs")
    try FileManager.default.moveItem(
      atPath: "\(notes)/\(numbers[0])-\(start)", toPath: "\(notes)/\(numbers[0])-\(start + 1)")
    #expect(await register.running(key: key).isEmpty)
    #expect(await register.end(key: key).isEmpty)
    #expect(numbers.allSatisfy(runs))
    #expect(await register.end(key: key + "0").isEmpty)
  }

  @Test func onlyProgramsWhoseProcessHasEndedAreLeft() async throws {
    let numbers = try await orphan("sleep 1000 & echo $$ $! > \"$READY\"; wait", key: key)
    let note = try #require(register.note(numbers[0], run: "R7", key: key, stop: StopWay(grace: 0.2)))
    #expect(await register.left().isEmpty)
    // As a process that is gone would have written it.
    let text = try String(contentsOfFile: note, encoding: .utf8)
    try text.replacingOccurrences(of: "\n\(getpid())\n", with: "\n4194305\n")
      .write(toFile: note, atomically: false, encoding: .utf8)
    let left = await register.left()
    #expect(left.map(\.run) == [RunID(rawValue: "R7")] && left.map(\.process) == [numbers[0]])
    _ = await register.end(key: key)
    #expect(await register.left().isEmpty)
  }

  @Test func aProgramIsNotedOnlyWhileItRuns() async throws {
    let caller = BuiltinCaller(
      BuiltinSurroundings(
        folder: folder.path, stateFolder: folder.path, environment: ["PATH": "/usr/bin:/bin"]))
    // The note is written once the program has started.
    let script = "n=0; until cat programs/$$-* 2>/dev/null || [ $((n += 1)) = 1000 ]; do sleep 0.01; done"
    let output = try await caller.perform("exec", ["command": ["sh", "-c", .string(script)]])
    #expect(output["stdout"]?.stringValue?.contains("R.a") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("programs")).isEmpty)
  }
}
