import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The threads on which a plugin's calls run.
///
/// Host and plugins share Swift's cooperative threads, of which there are as many as processors. A plugin that blocks one,
/// in a file operation for instance, must not hold up the host and every other plugin; so a plugin's tasks stay on threads
/// of their own. A thread is made when there is work and no idle thread; it ends after an idle time.
package final class CallThreads: TaskExecutor {
  package static let shared = CallThreads(limit: 32)

  /// The mark of the kit's threads.
  private static let mark: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Whether the current thread is one of the kit's, which may block.
  static var isCurrent: Bool { pthread_getspecific(mark) != nil }

  private struct State {
    var queue: [UnownedJob] = []
    var head = 0
    /// Threads that wait, without those that have been woken for a job.
    var idle = 0
    var threads = 0
  }

  private let limit: Int
  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  init(limit: Int) {
    self.limit = limit
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (wakes, needsThread) = state.withLock { state in
      state.queue.append(job)
      if state.idle > 0 {
        state.idle -= 1
        return (true, false)
      }
      guard state.threads < limit else { return (false, false) }
      state.threads += 1
      return (false, true)
    }
    // Not under the lock, which the thread that wakes takes at once.
    if wakes { wake.signal() }
    if needsThread { startThread() }
  }

  private func startThread() {
    let box = Unmanaged.passRetained(self).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let result = pthread_create(&thread, nil, callThread, box)
    guard result != 0 else {
      #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
      #else
        pthread_detach(thread)
      #endif
      return
    }
    // No thread to be had: the work is done here and now, which is slow but loses nothing.
    Unmanaged<CallThreads>.fromOpaque(box).release()
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    state.withLock { $0.threads -= 1 }
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      guard state.head < state.queue.count else {
        state.queue.removeAll(keepingCapacity: true)
        state.head = 0
        return nil
      }
      defer { state.head += 1 }
      return state.queue[state.head]
    }
  }

  fileprivate func work() {
    pthread_setspecific(Self.mark, Unmanaged.passUnretained(self).toOpaque())
    while true {
      if let job = next() {
        job.runSynchronously(on: asUnownedTaskExecutor())
        continue
      }
      let hasWork = state.withLock { state in
        if state.head < state.queue.count { return true }
        state.idle += 1
        return false
      }
      if hasWork { continue }
      guard wake.wait(timeout: .now() + .seconds(10)) == .timedOut else { continue }
      let isWanted = state.withLock { state in
        guard state.idle > 0 else { return true }
        state.idle -= 1
        state.threads -= 1
        return false
      }
      guard isWanted else { return }
      // This thread, or one like it, has been woken in the meantime: use that signal up.
      wake.wait()
    }
  }
}

#if canImport(Darwin)
  private func callThread(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<CallThreads>.fromOpaque(box).takeRetainedValue().work()
    return nil
  }
#else
  private func callThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let box { Unmanaged<CallThreads>.fromOpaque(box).takeRetainedValue().work() }
    return nil
  }
#endif
