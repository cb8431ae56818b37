import CIsolation
import CPluginABI
import Foundation
import Localization
import PluginBoundary
import Synchronization

/// The inside of a worker process: opens one library, and says its manifest or carries calls between it and the host.
public enum PluginWorker {
  /// The largest file that a worker can write, in bytes.
  private static let largestFile: UInt64 = 1 << 30

  /// Runs the hidden command `plugin-worker`. The host starts it; see `ChildProcess`.
  ///
  /// - Parameter arguments: The arguments after the command: the host's process, bytes of memory, open files.
  public static func runChild(arguments: [String]) -> Never {
    guard arguments.count == 3, let parent = pid_t(arguments[0]), let memory = UInt64(arguments[1]),
      let files = UInt64(arguments[2]), isSocket(FrameSocket.numberInWorker)
    else {
      FileHandle.standardError.write(Data("plugin-worker is started by Sous itself\n".utf8))
      _exit(2)
    }
    guard isolation_die_with_parent(parent) == 0 else { _exit(0) }
    signal(SIGPIPE, SIG_IGN)
    // Descriptors of the host without close-on-exec.
    _ = isolation_close_from(FrameSocket.numberInWorker + 1)
    limit(Int32(RLIMIT_DATA.rawValue), memory)
    limit(Int32(RLIMIT_NOFILE.rawValue), files)
    limit(Int32(RLIMIT_CORE.rawValue), 0)
    // A larger file fails with EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    limit(Int32(RLIMIT_FSIZE.rawValue), largestFile)
    let hidden = isolation_hide_process()
    let dropped = isolation_drop_privileges()
    // Threads inherit these restrictions; so far only one runs. Opening a library runs its constructors, so the worker gives up
    // its rights before that, and its files once the host has sent the ones that the provider may use.
    let filtered = isolation_filter_system_calls()
    let runtime = WorkerRuntime(descriptor: FrameSocket.numberInWorker)
    if hidden != 0 { runtime.report("its memory cannot be hidden", hidden) }
    if dropped != 0 { runtime.report("privileges cannot be dropped", dropped) }
    if filtered != 0 { runtime.report("system calls cannot be filtered", filtered) }
    runtime.run()
  }

  private static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
  }

  private static func limit(_ resource: Int32, _ value: UInt64) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(UInt32(bitPattern: resource))
    guard getrlimit(resource, &limit) == 0 else { return }
    let allowed = min(rlim_t(value), limit.rlim_max)
    limit = rlimit(rlim_cur: allowed, rlim_max: allowed)
    setrlimit(resource, &limit)
  }
}
