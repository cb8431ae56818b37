import Glibc

/// The disk, which can be made to fail: the kernel then refuses every write to a file.
enum Disk {
  private static let usual: rlimit = {
    // A refused write is an error for whoever writes, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    return limit
  }()

  static func fail() {
    var limit = usual
    limit.rlim_cur = 0
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  static func mend() {
    var limit = usual
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
}
