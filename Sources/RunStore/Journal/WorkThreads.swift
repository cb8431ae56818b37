internal import Glibc

/// Threads that runs are worked on, and that write what those runs record.
///
/// A run that waits for its journal has nothing else to do, so its own thread does the writing and then continues with the
/// run: to wake another thread up, twice for every step, costs more than everything else that a step costs beside the
/// disk. There is one thread more than there are processors, as one of them mostly waits for the disk.
// What it holds is only touched under the mutex, or never changes.
final class WorkThreads: TaskExecutor, @unchecked Sendable {
  /// Those of this process. They begin when they are needed and end with it.
  static let shared = WorkThreads(limit: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 1)

  private enum Work {
    case job(UnownedJob)
    case write(@Sendable () -> Void, hasWaited: Bool)
  }

  private let limit: Int
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// What tells these threads from others: whether the thread is about to look for work.
  private let mark: pthread_key_t
  /// What waits, from `head` on, in the order in which it is begun.
  private var queue: [Work?] = []
  private var head = 0
  private var threads = 0
  /// Threads that sleep, and how many of them have been called since.
  private var asleep = 0
  private var called = 0

  private init(limit: Int) {
    self.limit = limit
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    mark = key
  }

  // MARK: - Work

  func enqueue(_ job: consuming ExecutorJob) {
    add(.job(UnownedJob(job)), isTakenUp: isAboutToLook?.pointee ?? false)
  }

  /// Has something written by this thread once the job that it carries out is suspended, or by another one.
  ///
  /// - Parameters:
  ///   - gathers: Whether jobs that are waiting, and those that they bring about, come first: what they want to have
  ///     written then goes with it. Otherwise the next thread that is free writes, while the others do those jobs.
  ///   - body: Writes.
  /// - Returns: `false` where the caller is not on one of these threads; nothing is written then.
  func write(gathering gathers: Bool, _ body: @escaping @Sendable () -> Void) -> Bool {
    guard isAboutToLook != nil else { return false }
    add(.write(body, hasWaited: !gathers), isTakenUp: true)
    return true
  }

  /// Tells that this thread, where it is one of these, looks for work in a moment, so that a job that it adds meanwhile
  /// is not worth another thread's being called.
  func looksSoon() { isAboutToLook?.pointee = true }

  private var isAboutToLook: UnsafeMutablePointer<Bool>? {
    pthread_getspecific(mark)?.assumingMemoryBound(to: Bool.self)
  }

  private func add(_ work: Work, isTakenUp: Bool) {
    pthread_mutex_lock(mutex)
    if case .write(_, true) = work { putFirst(work) } else { queue.append(work) }
    let wanted = queue.count - head - (isTakenUp ? 1 : 0)
    var begins = false
    if wanted > called {
      if asleep > called {
        called += 1
        pthread_cond_signal(condition)
      } else if threads < limit {
        threads += 1
        begins = true
      }
    }
    pthread_mutex_unlock(mutex)
    if begins { begin() }
  }

  private func putFirst(_ work: Work) {
    if head > 0 {
      head -= 1
      queue[head] = work
    } else {
      queue.insert(work, at: 0)
    }
  }

  private func next() -> Work {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if head < queue.count, let work = queue[head] {
        queue[head] = nil
        head += 1
        if head == queue.count {
          queue.removeAll(keepingCapacity: true)
          head = 0
          return work
        }
        if head >= 1024 {
          queue.removeFirst(head)
          head = 0
        }
        guard case .write(let body, false) = work else { return work }
        queue.append(.write(body, hasWaited: true))
        continue
      }
      asleep += 1
      pthread_cond_wait(condition, mutex)
      asleep -= 1
      if called > 0 { called -= 1 }
    }
  }

  // MARK: - Threads

  private func begin() {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { threads in
        if let threads { Unmanaged<WorkThreads>.fromOpaque(threads).takeUnretainedValue().work() }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    if status == 0 {
      pthread_detach(thread)
    } else {
      // Those that are there do it.
      pthread_mutex_lock(mutex)
      threads -= 1
      pthread_mutex_unlock(mutex)
    }
  }

  private func work() {
    // Signals from outside go to threads that expect them.
    var signals = sigset_t()
    sigfillset(&signals)
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE] { sigdelset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let isAboutToLook = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    isAboutToLook.initialize(to: false)
    pthread_setspecific(mark, isAboutToLook)
    let executor = asUnownedTaskExecutor()
    while true {
      let work = next()
      switch work {
      case .job(let job):
        // What a job brings about mostly goes on where the job ends, and a job is soon over.
        isAboutToLook.pointee = true
        job.runSynchronously(on: executor)
      case .write(let body, _):
        isAboutToLook.pointee = false
        body()
      }
    }
  }
}
