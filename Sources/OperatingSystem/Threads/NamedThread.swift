internal import Dispatch
internal import Foundation

/// Threads of their own, for what runs long or blocks.
public enum NamedThread {
  /// Starts a thread that has its name before it does anything.
  ///
  /// Foundation only names a thread that runs, and a thread can run before Foundation notices it.
  ///
  /// - Parameters:
  ///   - name: At most 15 bytes; the system shows it.
  ///   - stackSize: Bytes of stack; `nil` for the system's default.
  ///   - body: What the thread does; the thread ends with it.
  public static func start(_ name: String, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let isRunning = DispatchSemaphore(value: 0)
    let thread = Thread {
      isRunning.wait()
      Thread.current.name = name
      body()
    }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
    isRunning.signal()
  }

  /// Does something on a thread of its own, and waits for it without blocking the caller's.
  ///
  /// - Parameters:
  ///   - name: At most 15 bytes; the system shows it.
  ///   - stackSize: Bytes of stack.
  ///   - body: What the thread does.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public static func run<Value: Sendable, Failure: Error>(
    _ name: String, stackSize: Int = 512 << 10, _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome: Result<Value, Failure> = await withCheckedContinuation { continuation in
      start(name, stackSize: stackSize) { continuation.resume(returning: Result(catching: body)) }
    }
    return try outcome.get()
  }
}
