import Foundation
import LoopbackPorts
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// A Dovecot of our own on a port of the loopback interface, with its state in a temporary folder.
///
/// Every user name exists and has the password `secret`, so each test takes a mailbox nobody else has. The server ends
/// with the test program, whichever way that ends.
final class DovecotServer: Sendable {
  /// The server most tests share; `nil` where Dovecot is not installed.
  static let shared = try? DovecotServer()

  static let program = ["/usr/sbin/dovecot", "/usr/local/sbin/dovecot"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// One at a time, so that no server inherits the pipe of another.
  private static let spawning = NSLock()

  let port: Int
  let folder: String
  private let options: String
  // Written under `launch` and `stop`, which one test calls at a time.
  private nonisolated(unsafe) var process: pid_t = 0
  private nonisolated(unsafe) var leash: Int32 = -1

  /// - Parameter options: Further lines of its configuration.
  init(_ options: String = "") throws {
    guard DovecotServer.program != nil else { throw CocoaError(.fileNoSuchFile) }
    port = try LoopbackPort.free()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("dovecot-\(UUID().uuidString)").path
    self.options = options
    for part in ["", "/run", "/state", "/home"] {
      try FileManager.default.createDirectory(atPath: folder + part, withIntermediateDirectories: true)
      chmod(folder + part, 0o755)
    }
    if getuid() == 0, let user = getpwnam("mail") { chown(folder + "/home", user.pointee.pw_uid, user.pointee.pw_gid) }
    try launch()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Starts it, and returns when it answers.
  func launch() throws {
    let path = folder + "/dovecot.conf"
    try configuration.write(toFile: path, atomically: true, encoding: .utf8)
    try spawn(path)
    try eventuallyBlocking(every: .milliseconds(50)) { answers() }
  }

  /// The shell reads from a pipe whose other end this process alone holds: when it is gone, so is the server.
  private func spawn(_ path: String) throws {
    var ends: [Int32] = [-1, -1]
    Self.spawning.lock()
    defer { Self.spawning.unlock() }
    guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let script = """
      "$1" -F -c "$2" </dev/null & server=$!; read line; kill $server; wait $server; [ "$line" ] || rm -rf "$3"
      """
    let words = ["sh", "-c", script, "sh", DovecotServer.program ?? "", path, folder]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    // Threads of Swift's pool block signals, and what they start inherits that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let status = posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, environ)
    close(ends[0])
    guard status == 0 else { throw CocoaError(.fileReadUnknown) }
    leash = ends[1]
  }

  /// Ends it, connections and all.
  func stop() {
    guard process > 0 else { return }
    _ = write(leash, "stop\n", 5)
    close(leash)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    process = 0
  }

  /// The log, for a failed test.
  var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

  /// The Maildir of a user.
  func maildir(_ user: String) -> String { folder + "/home/\(user)/Maildir" }

  private var configuration: String {
    let user = getuid() == 0 ? "mail" : NSUserName()
    let group = getuid() == 0 ? "mail" : String(getgid())
    let internalUsers =
      getuid() == 0
      ? "" : "default_internal_user = \(user)\ndefault_login_user = \(user)\ndefault_internal_group = \(group)"
    return """
      protocols = imap
      listen = 127.0.0.1
      base_dir = \(folder)/run
      state_dir = \(folder)/state
      log_path = \(folder)/log
      ssl = no
      disable_plaintext_auth = no
      auth_mechanisms = plain login scram-sha-256
      auth_failure_delay = 0
      mail_max_userip_connections = 100
      first_valid_uid = 1
      mail_location = maildir:~/Maildir
      mail_plugins = quota
      protocol imap {
        mail_plugins = quota imap_quota
      }
      imap_idle_notify_interval = 1 s
      \(internalUsers)
      passdb {
        driver = static
        args = password=secret
      }
      userdb {
        driver = static
        args = uid=\(user) gid=\(group) home=\(folder)/home/%u
      }
      namespace inbox {
        inbox = yes
        separator = .
        prefix = 
        mailbox Trash {
          special_use = \\Trash
          auto = create
        }
        mailbox Sent {
          special_use = \\Sent
          auto = create
        }
      }
      service imap-login {
        chroot =
        inet_listener imap {
          port = \(port)
        }
        inet_listener imaps {
          port = 0
        }
      }
      service anvil {
        chroot =
      }
      \(options)
      """
  }

  private func answers() -> Bool {
    let socket = Self.socket()
    defer { close(socket) }
    guard Self.connect(socket, port) else { return false }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(socket, &buffer, buffer.count)
    return count > 4 && buffer.starts(with: Array("* OK".utf8))
  }

  private static func socket() -> Int32 { Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }

  private static func withAddress<Result>(
    _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  private static func connect(_ socket: Int32, _ port: Int) -> Bool {
    withAddress(port) { Glibc.connect(socket, $0, $1) == 0 }
  }
}
