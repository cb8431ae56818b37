import Foundation

/// Runs what blocks away from the threads that Swift's tasks share.
enum BlockingThread {
  private static let queue = DispatchQueue(label: "builtin-actions", attributes: .concurrent)

  /// Starts a thread of its own for something that may take long.
  static func start(name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.stackSize = 512 << 10
    thread.start()
  }

  /// Does something short that blocks, as work on files does, on a shared thread.
  static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome: Result<Value, Failure> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try outcome.get()
  }
}
