import CIsolation
import Foundation

/// Keeps a worker process from all files but those it needs: the system's libraries and tables, the plugin's library with the
/// libraries that it is linked to, and the places that the host names.
enum FileFence {
  /// Shared by every program: libraries, and the tables by which the C library finds names, times and certificates.
  private static let system = [
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust",
    "/etc/crypto-policies", "/etc/localtime", "/etc/timezone", "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf",
    "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/protocols", "/etc/services", "/etc/locale.alias", "/etc/locale.conf",
    "/etc/mime.types", "/etc/fonts", "/etc/gnutls", "/var/cache/fontconfig",
  ]
  /// What the C library and the runtimes of languages ask the kernel about this process and this machine.
  private static let kernel = [
    "/proc/self/maps", "/proc/self/stat", "/proc/self/statm", "/proc/self/status", "/proc/self/cgroup",
    "/proc/self/limits", task, "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm/overcommit_memory",
    "/proc/sys/kernel/osrelease", "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage",
  ]
  /// libdispatch ends the process if it cannot read `stat` of each of its threads here.
  private static let task = "/proc/self/task"
  private static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]

  /// Gives up everything else, for good. To be called while there is one thread.
  ///
  /// - Returns: 0, or an errno value: the fence could not be set up.
  static func enter(library: String, places: [WorkerPlace]) -> Int32 {
    // The first version lets nothing be renamed from folder to folder, which a Maildir needs.
    guard isolation_domain_version() >= IsolationSupport.leastVersion(forWriting: places.contains(where: \.isWritable))
    else { return ENOSYS }
    var all = (system + kernel + LinkedLibraries.folders).map { ($0, ISOLATION_READ) }
    all += devices.map { ($0, ISOLATION_DEVICE) }
    all += LinkedLibraries.files(of: library).map { ($0, ISOLATION_READ) }
    all += places.map { ($0.path, $0.isWritable ? ISOLATION_WRITE : ISOLATION_READ) }
    // Stays open: the kernel may forget the entry of a folder in /proc, and the rule with it, unless it is in use.
    _ = open(task, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let paths = all.map { strdup($0.0) }
    defer { for path in paths { free(path) } }
    let native = zip(paths, all).map { path, place in
      isolation_place(path: path, access: Int32(place.1))
    }
    return isolation_enter_domain(native, native.count)
  }
}
