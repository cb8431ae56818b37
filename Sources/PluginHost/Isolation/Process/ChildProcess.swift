import CIsolation
import CProcess
import Foundation
import OperatingSystem
import Synchronization

/// One worker process as the operating system sees it: started, ended and reaped.
///
/// Every process that opens a library is started here: for a provider, and to try a library out. `PluginWorker`
/// decides which rights it gives up before that.
final class ChildProcess: Sendable {
  struct Failure: Error {
    let reason: String
  }

  /// Environment variables a worker sees: none that could hold a secret, and nothing of Sous.
  private static let passedOn: Set<String> = ["PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TZ"]

  /// The most memory this process had held when it started the worker, in bytes.
  private let hostPeak: UInt64
  let id: pid_t
  /// The host's end of the socket.
  let socket: Int32
  /// The pipe with the worker's standard output and standard error.
  let output: Int32
  /// Readable once the process has ended; -1 where the kernel cannot tell.
  let ending: Int32
  private let isReaped = Mutex(false)
  private let areClosed = Atomic<Bool>(false)

  /// Starts a worker.
  ///
  /// The calling thread has to live as long as the worker may: the kernel kills the worker when it ends.
  ///
  /// - Parameter temporary: Its temporary folder; `nil` for none.
  init(executable: String, limits: IsolationLimits, temporary: String? = nil) throws(Failure) {
    // The host's environment and memory must stay hidden from its workers.
    HostProtection.begin()
    let sockets = try ChildProcess.pair("socketpair") { ends in
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    }
    let outputs: (Int32, Int32)
    do throws(Failure) {
      outputs = try ChildProcess.pair("pipe") { ends in
        let code = process_make_pipe(&ends)
        errno = code
        return code
      }
    } catch {
      close(sockets.0)
      close(sockets.1)
      throw error
    }
    defer {
      close(sockets.1)
      close(outputs.1)
    }
    do throws(Failure) {
      id = try ChildProcess.spawn(
        executable, ["plugin-worker", "\(getpid())", "\(limits.memory)", "\(limits.files)"], socket: sockets.1,
        output: outputs.1, temporary: temporary)
    } catch {
      close(sockets.0)
      close(outputs.0)
      throw error
    }
    var own = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
    hostPeak = UInt64(clamping: own.ru_maxrss) << 10
    socket = sockets.0
    output = outputs.0
    ending = process_open(id)
  }

  /// Ends the process and all of its group, at once.
  func kill() {
    isReaped.withLock { isReaped in
      // The number may belong to another process once this one has been reaped.
      guard !isReaped else { return }
      Foundation.kill(-id, SIGKILL)
      Foundation.kill(id, SIGKILL)
    }
  }

  /// Waits for the end; to be called once.
  func reap() -> (status: WorkerEnding.Status, peakMemory: UInt64) {
    var status: Int32 = 0
    var usage = rusage()
    // The process still counts as there while it is waited for: what ends it must not wait for that.
    var information = siginfo_t()
    _ = try? uninterrupted { waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) }
    let result = isReaped.withLock { isReaped -> Int32? in
      Foundation.kill(-id, SIGKILL)
      isReaped = true
      return try? uninterrupted { wait4(id, &status, 0, &usage) }
    }
    // If the program ignores SIGCHLD, the kernel has reaped the process already.
    guard result == id else { return (.unknown, 0) }
    let ending: WorkerEnding.Status =
      status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
    // A new process begins with the peak of the one that started it: up to there the number says nothing.
    let peak = UInt64(clamping: usage.ru_maxrss) << 10
    return (ending, peak > hostPeak ? peak : 0)
  }

  /// Closes the descriptors, once no thread uses them: the system reuses their numbers at once.
  func closeDescriptors() {
    guard !areClosed.exchange(true, ordering: .relaxed) else { return }
    for descriptor in [socket, output, ending] where descriptor >= 0 { close(descriptor) }
  }

  deinit { closeDescriptors() }

  private static func pair(
    _ name: String, _ make: (inout [Int32]) -> Int32
  ) throws(Failure) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard make(&ends) == 0 else { throw Failure(reason: "\(name): " + String(cString: strerror(errno))) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], socket: Int32, output: Int32, temporary: String?
  ) throws(Failure) -> pid_t {
    var environment = ProcessInfo.processInfo.environment.filter { passedOn.contains($0.key) }
    environment["TMPDIR"] = temporary
    var argv = ([executable] + arguments).map { strdup($0) } + [nil]
    // The runtime's own handler of crashes starts a program and waits for it: it could only hang.
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { for text in argv + envp { free(text) } }
    var process: pid_t = 0
    // A session of its own: no terminal, no signals meant for the host, and one group to end it by.
    let descriptors = [-1, output, output, socket]
    let result = process_spawn(
      &process, executable, &argv, &envp, nil, descriptors, Int32(descriptors.count))
    guard result == 0 else {
      throw Failure(reason: "\(executable): " + String(cString: strerror(result)))
    }
    return process
  }
}
