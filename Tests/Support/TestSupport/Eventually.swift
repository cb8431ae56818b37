import Glibc

/// A condition that ``eventually(within:every:fileID:line:_:)`` waited for in vain.
package struct NeverHappened: Error, CustomStringConvertible {
  /// The line of the test, and for how long it waited.
  package let description: String
}

/// Waits until a condition holds: the way to wait for another process, a server or a thread, which cannot be awaited.
///
/// - Parameters:
///   - bound: How long to wait at most. Long, because it only matters if the test fails: machines of tests are busy.
///   - pause: How long to sleep between two looks.
/// - Throws: ``NeverHappened`` after `bound`, and what the condition throws.
package func eventually(
  within bound: Duration = .seconds(300), every pause: Duration = .milliseconds(5), fileID: String = #fileID,
  line: Int = #line, _ condition: () async throws -> Bool
) async throws {
  let began = ContinuousClock.now
  while try await !condition() {
    guard ContinuousClock.now - began < bound else {
      throw NeverHappened(description: "\(fileID):\(line): the condition did not hold within \(bound)")
    }
    try await Task.sleep(for: pause)
  }
}

/// The same for code that is not asynchronous: it blocks its thread meanwhile.
package func eventuallyBlocking(
  within bound: Duration = .seconds(300), every pause: Duration = .milliseconds(5), fileID: String = #fileID,
  line: Int = #line, _ condition: () throws -> Bool
) throws {
  let began = ContinuousClock.now
  while try !condition() {
    guard ContinuousClock.now - began < bound else {
      throw NeverHappened(description: "\(fileID):\(line): the condition did not hold within \(bound)")
    }
    let (seconds, attoseconds) = pause.components
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&rest, nil)
  }
}
