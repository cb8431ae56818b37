import Engine
import Expressions
import FixturePlugins
import Foundation
import Synchronization
import Testing

@testable import PluginBoundary
@testable import PluginHost

@Suite(.timeLimit(.minutes(5)))
struct PluginExecutorTests {
  @Test func tasksAndTheirChildrenRunOnItsThreads() async throws {
    let places = try await PluginThreads.run {
      var places = [place()]
      places += await withTaskGroup(of: Place.self) { group in
        for _ in 0..<8 {
          group.addTask {
            await Task.yield()
            return place()
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      return places
    }
    #expect(places == Array(repeating: Place(isOfExecutor: true, name: "plugin-call"), count: 9))
    #expect(!place().isOfExecutor)
    #expect(place().name != "plugin-call")
  }

  @Test func threadsThatDoNotComeBackAreReplaced() async throws {
    let gate = DispatchSemaphore(value: 0)
    let executor = PluginExecutor(width: 2)
    let stuck = (0..<6).map { _ in
      Task(executorPreference: executor) { hold(gate) }
    }
    // More than the executor has threads are blocked, and it goes on all the same.
    let sum = await Task(executorPreference: executor) { (1...100).reduce(0, +) }.value
    #expect(sum == 5050)
    for _ in stuck { gate.signal() }
    for task in stuck { await task.value }
    let again = await Task(executorPreference: executor) { 7 }.value
    #expect(again == 7)
  }

  @Test func whatWaitsBehindAThreadThatIsStuckIsTakenOver() async throws {
    let executor = PluginExecutor(width: 1)
    let gate = DispatchSemaphore(value: 0)
    let noted = Mutex(0)
    await Task(executorPreference: executor) {
      await withCheckedContinuation { continuation in
        // Stands in for a plugin that answers and does not return from `start`.
        let isInPlace = executor.callNext(
          {
            continuation.resume()
            gate.wait()
          }, blocks: { noted.withLock { $0 += 1 } })
        #expect(isInPlace)
      }
    }.value
    #expect(noted.withLock { $0 } == 1)
    gate.signal()
  }

  @Test func elsewhereNothingIsCalledInPlace() {
    let isInPlace = PluginExecutor.shared.callNext({}, blocks: {})
    #expect(!isInPlace)
  }

  // MARK: - Calls of plugins

  @Test func callsInPlaceAnswerLikeOthers() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.echo()))
    let answers = try await PluginThreads.run {
      let provider = try await host.provider(named: "home")
      return try await withThrowingTaskGroup(of: Int64.self) { group in
        for number in 0..<500 {
          group.addTask {
            let output = try await provider.perform(
              .forTests("echo.echo", ["number": .int(Int64(number))]), reporter: RecordingReporter())
            guard case .map(let map) = output, case .int(let answer)? = map["number"] else { return -1 }
            return answer
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
    }
    #expect(answers == Array(0..<500))
    #expect(await host.shutdown() == [])
  }

  @Test func taskThatBlocksWhereItsAnswerWasReadHoldsUpNoOtherAnswer() async throws {
    let host = PluginHost.forTests(
      .path(try FixtureLibrary.echo()), probe: PluginProbe(executable: FixtureLibrary.executable), isolation: .process)
    let provider = try await host.provider(named: "home")
    let gate = DispatchSemaphore(value: 0)
    let hasContinuedThere = try await PluginThreads.run {
      for _ in 0..<100 where place().name != "worker-reader" {
        _ = try await provider.perform(.forTests("echo.echo"), reporter: RecordingReporter())
      }
      let name = place().name
      let other = Task {
        _ = try await provider.perform(.forTests("echo.echo"), reporter: RecordingReporter())
        gate.signal()
      }
      // Until another thread has read the other call's answer.
      hold(gate)
      try await other.value
      return name == "worker-reader"
    }
    #expect(hasContinuedThere)
    #expect(await host.shutdown() == [])
  }

  @Test(arguments: ["BLOCKS_IN_START", "NEVER_COMPLETES", "BLOCKS_IN_CANCEL"])
  func pluginThatHangsCostsItsCallAlone(misdeed: String) async throws {
    var limits = PluginLimits.forTests
    limits.startSeconds = 0.5
    limits.cancelGrace = 0.2
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving(misdeed)), limits: limits)
    let kind = try await PluginThreads.run {
      let provider = try await host.provider(named: "home")
      async let hanging = outcome(of: provider)
      for _ in 0..<20 {
        _ = try await provider.perform(.forTests("misbehaving.behave"), reporter: RecordingReporter())
      }
      return await hanging
    }
    #expect(kind == (misdeed == "BLOCKS_IN_START" ? .protocol : .timeout))
    await host.shutdown(grace: 0)
  }
}

/// Where a task runs.
private struct Place: Equatable {
  var isOfExecutor: Bool
  var name: String
}

private func place() -> Place {
  Place(isOfExecutor: PluginExecutor.shared.isCurrent, name: Thread.current.name ?? "")
}

private func hold(_ gate: DispatchSemaphore) { gate.wait() }

private func outcome(of provider: any StepProvider) async -> ActionFailure.Kind? {
  do throws(ActionFailure) {
    _ = try await provider.perform(.forTests("misbehaving.act", timeout: 0.3), reporter: RecordingReporter())
    return nil
  } catch {
    return error.kind
  }
}
