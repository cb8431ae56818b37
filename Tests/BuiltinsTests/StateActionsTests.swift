import Builtins
import Engine
import Expressions
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct StateActionsTests {
  private let store = MemoryStateStore()
  private let caller: BuiltinCaller

  init() {
    var surroundings = BuiltinSurroundings()
    surroundings.state = ProviderRecipeState(store) { _ in false }
    caller = BuiltinCaller(surroundings)
  }

  @Test func whatIsSetIsKeptForTheRecipeAlone() async throws {
    #expect(try await caller.perform("state.get", ["key": "a"]) == ["value": .null, "found": false])
    #expect(try await caller.perform("state.get", ["key": "a", "default": 7])["value"] == 7)
    _ = try await caller.perform("state.set", ["key": "a", "value": ["x": [1, "ü"]]])
    #expect(try await caller.perform("state.get", ["key": "a"]) == ["value": ["x": [1, "ü"]], "found": true])
    #expect(try await caller.perform("state.get", ["key": "a"], recipe: "other")["found"] == false)
    _ = try await caller.perform("state.set", ["key": "a", "value": .null])
    #expect(try await caller.perform("state.get", ["key": "a"])["found"] == false)
  }

  /// Two recipes of one name in a project, the first of which keeps something.
  private func twoRecipes() async throws -> (caller: BuiltinCaller, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    for name in ["one.yaml", "two.yaml"] { try folder.write(name, "name: test\nsteps: []\n") }
    var surroundings = BuiltinSurroundings(folder: folder.path, configuration: folder("sous.yaml"))
    surroundings.state = ProviderRecipeState(store) { _ in false }
    let caller = BuiltinCaller(surroundings)
    // Kept before files were noted.
    _ = try await self.caller.perform("state.set", ["key": "a", "value": 1])
    #expect(try await caller.perform("state.get", ["key": "a"], file: folder("one.yaml"))["value"] == 1)
    return (caller, folder)
  }

  @Test func aSecondRecipeOfTheSameNameDoesNotGetTheFirstOnesState() async throws {
    let (caller, folder) = try await twoRecipes()
    let second = folder("two.yaml")
    for (action, input): (String, Value) in [
      ("state.get", ["key": "a"]), ("state.set", ["key": "a", "value": 2]), ("state.increment", ["key": "a"]),
    ] { #expect(try await caller.failure(action, input, file: second) == .invalidInput, "\(action)") }
    // The same file by another path is no second one.
    #expect(symlink("one.yaml", folder("link.yaml")) == 0)
    #expect(try await caller.perform("state.get", ["key": "a"], file: folder("./link.yaml"))["value"] == 1)
  }

  @Test(arguments: ["moved", "renamed", "copied"]) func stateGoesWithTheName(how: String) async throws {
    var (caller, folder) = try await twoRecipes()
    switch how {
    case "moved": #expect(unlink(folder("one.yaml")) == 0)
    case "renamed": try folder.write("one.yaml", "name: other\nsteps: []\n")
    default:
      // The whole project, with what it keeps.
      let copy = try TemporaryFolder()
      try copy.write("one.yaml", "name: test\nsteps: []\n")
      var surroundings = BuiltinSurroundings(folder: copy.path, configuration: copy("sous.yaml"))
      surroundings.state = ProviderRecipeState(store) { _ in false }
      (caller, folder) = (BuiltinCaller(surroundings), copy)
    }
    let file = folder(how == "copied" ? "one.yaml" : "two.yaml")
    #expect(try await caller.perform("state.get", ["key": "a"], file: file)["value"] == 1)
    #expect(try await caller.perform("state.increment", ["key": "a"], file: file)["value"] == 2)
  }

  @Test func aRepeatedCallCountsOnce() async throws {
    #expect(try await caller.perform("state.increment", ["key": "n"], key: "1") == ["value": 1])
    #expect(try await caller.perform("state.increment", ["key": "n", "by": 10], key: "2") == ["value": 11])
    #expect(try await caller.perform("state.increment", ["key": "n"], key: "1") == ["value": 1])
    #expect(try await caller.perform("state.get", ["key": "n"])["value"] == 11)
    #expect(try await caller.perform("state.increment", ["key": "n", "by": -11], key: "3") == ["value": 0])
  }

  @Test func aLostIncrementIsFoundOut() async throws {
    #expect(try await caller.verify("state.increment", ["key": "n"], key: "1") == .notDone)
    _ = try await caller.perform("state.increment", ["key": "n", "by": 5], key: "1")
    #expect(try await caller.verify("state.increment", ["key": "n", "by": 5], key: "1") == .done(output: ["value": 5]))
  }

  @Test func incrementsThatMeetAreTriedAnew() async throws {
    store.conflict(times: 3)
    #expect(try await caller.perform("state.increment", ["key": "n"], key: "1") == ["value": 1])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask { [caller] in _ = try await caller.perform("state.increment", ["key": "m"], key: "k\(number)") }
      }
      try await group.waitForAll()
    }
    #expect(try await caller.perform("state.get", ["key": "m"])["value"] == 100)
  }

  @Test func whatIsNoNumberIsNotCounted() async throws {
    _ = try await caller.perform("state.set", ["key": "n", "value": "text"])
    #expect(try await caller.failure("state.increment", ["key": "n"]) == .failed)
    _ = try await caller.perform("state.set", ["key": "n", "value": .int(.max)])
    #expect(try await caller.failure("state.increment", ["key": "n"]) == .failed)
  }

  @Test func theOldestCallsAreForgotten() throws {
    let state = ProviderRecipeState(store) { _ in false }
    for number in 0..<12_000 {
      let text = String(number)
      _ = try state.increment(
        "n", by: 1, call: String(repeating: "0", count: 6 - text.count) + text, in: "many")
    }
    let calls = try store.stateKeys(of: "recipe:many", prefix: "call/")
    #expect(calls.count < 11_500)
    #expect(calls.last == "call/011999")
    #expect(try state.value(of: "n", in: "many") == 12_000)
  }

  @Test func callsOfRunsThatHaveNotEndedAreNotForgotten() throws {
    let state = ProviderRecipeState(store) { $0.rawValue == "01A" }
    for item in 0..<3 {
      _ = try state.increment("n", by: 1, call: "01A.count.\(item)", in: "old")
      _ = try state.increment("n", by: 1, call: "01B.count.\(item)", in: "old")
    }
    for item in 0..<12_000 { _ = try state.increment("n", by: 1, call: "01C.count.\(item)", in: "old") }
    for item in 0..<3 {
      #expect(try state.note(ofCall: "01A.count.\(item)", in: "old") == Int64(2 * item + 1))
      #expect(try state.note(ofCall: "01B.count.\(item)", in: "old") == nil)
    }
  }

  @Test func withoutARunLogNothingIsKept() async throws {
    let caller = BuiltinCaller()
    #expect(try await caller.failure("state.set", ["key": "a", "value": 1]) == .unsupported)
    #expect(try await caller.failure("file.append", ["path": "a", "content": "x"]) == .unsupported)
  }

  @Test func ofManyCallsThoseOfOldRunsAreForgottenAndNoneOfTheRunAtWork() throws {
    let state = ProviderRecipeState(store) { _ in false }
    for item in 0..<3 { _ = try state.increment("n", by: 1, call: "01A.count.\(item)", in: "old") }
    for item in 0..<12_000 { _ = try state.increment("n", by: 1, call: "01B.count.\(item)", in: "old") }
    for item in 0..<12_000 { #expect(try state.note(ofCall: "01B.count.\(item)", in: "old") == Int64(item + 4)) }
    for item in 0..<3 { #expect(try state.note(ofCall: "01A.count.\(item)", in: "old") == nil) }
  }
}
