package import Engine
package import Expressions
import Foundation
import RunStore
package import UseCases

/// A workspace in a folder of its own, which goes with it, and what happens there.
package final class Place: Sendable {
  package let folder: String
  /// What happens in the workspace; one test iterates it.
  package let events: AsyncStream<WorkspaceEvent>
  private let surroundings: Surroundings

  package init(configuration: String? = "providers: {}\n") throws {
    folder = NSTemporaryDirectory() + "/use-cases-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var surroundings = Surroundings(
      environment: [
        "HOME": folder, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "XDG_CACHE_HOME": folder + "/cache",
      ], folder: folder)
    surroundings.trustsFolder = true
    let (events, continuation) = AsyncStream.makeStream(of: WorkspaceEvent.self)
    surroundings.events = { continuation.yield($0) }
    self.surroundings = surroundings
    self.events = events
    if let configuration { try write("sous.yaml", configuration) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  package var workspace: Workspace { get throws { try Workspace(surroundings) } }

  /// Works with an open session and closes it.
  package func withSession<Answer>(_ body: (Session) async throws -> Answer) async throws -> Answer {
    let session = try await Session(try Project(try workspace))
    do {
      let answer = try await body(session)
      try await session.close()
      return answer
    } catch {
      await session.abandon()
      throw error
    }
  }

  package func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
  }

  /// The text of a file; empty where there is none.
  package func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: folder + "/" + name) ?? Data(), as: UTF8.self)
  }

  /// Returns once there is a file.
  package func wait(for name: String) async throws {
    while !FileManager.default.fileExists(atPath: folder + "/" + name) {
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

extension Session {
  /// Queues one run of a recipe.
  @discardableResult
  package func enqueue(_ recipe: String, _ inputs: [String: Value] = [:]) async throws -> RunID? {
    try await enqueue(try project.check(order(recipe, inputs))).first?.run
  }

  /// Runs a recipe in the foreground.
  package func run(_ recipe: String, _ inputs: [String: Value] = [:]) async throws -> RunOutcome {
    try await run(try project.check(order(recipe, inputs)))
  }

  /// Works until nothing is left to do now.
  package func workUntilIdle() async throws {
    var order = WorkOrder()
    order.endsWhenIdle = true
    try await work(order)
  }

  private func order(_ recipe: String, _ inputs: [String: Value]) -> RunOrder {
    var order = RunOrder(recipe)
    order.inputs = inputs
    return order
  }
}

/// The code of the error that something ends with; `nil` where it succeeds.
package func code(of body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? UseCaseError)?.code.rawValue ?? "\(error)"
  }
}
