import CIsolation
import Foundation
import PluginBoundary

/// Restricts a worker process to the files that it needs: the system's libraries and tables, the plugin's library with the
/// libraries that it is linked to, and the places that the host names.
enum FileFence {
  /// Files that every program needs: libraries, and the tables of the C library for names, times and certificates.
  private static let system = [
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust",
    "/etc/crypto-policies", "/etc/localtime", "/etc/timezone", "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf",
    "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/protocols", "/etc/services", "/etc/locale.alias", "/etc/locale.conf",
    "/etc/mime.types", "/etc/fonts", "/etc/gnutls", "/var/cache/fontconfig",
  ]
  /// Where the C library and language runtimes read about this process and this machine.
  ///
  /// All of `/proc`: libdispatch ends the process if it cannot read `/proc/THREAD/stat` of its own threads, and that folder is
  /// not below the folder of the process. The environment, memory and open files of other processes stay closed, because a
  /// process in a Landlock domain may not trace a process outside it.
  private static let kernel = ["/proc", "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage"]
  private static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]

  /// Gives up all other files permanently. Call it while the process has one thread.
  ///
  /// - Returns: 0, or an errno value if the fence could not be set up.
  static func enter(library: String, places: [WorkerPlace]) -> Int32 {
    let version = WorkerPlace.leastDomainVersion(forWriting: places.contains(where: \.isWritable))
    guard Int(isolation_domain_version()) >= version else { return ENOSYS }
    var all = (system + kernel + LinkedLibraries.folders).map { ($0, ISOLATION_READ) }
    all += devices.map { ($0, ISOLATION_DEVICE) }
    all += LinkedLibraries.files(of: library).map { ($0, ISOLATION_READ) }
    all += places.map { ($0.path, $0.isWritable ? ISOLATION_WRITE : ISOLATION_READ) }
    let paths = all.map { strdup($0.0) }
    defer { for path in paths { free(path) } }
    let native = zip(paths, all).map { path, place in
      isolation_place(path: path, access: Int32(place.1))
    }
    return isolation_enter_domain(native, native.count)
  }
}
