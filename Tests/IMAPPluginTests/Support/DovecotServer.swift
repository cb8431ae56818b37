import Foundation
import PluginKit
import PluginKitTesting

@testable import IMAPPlugin

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

  let port: Int
  let folder: String
  private let options: String
  // Written under `launch` and `stop`, which one test calls at a time.
  private nonisolated(unsafe) var process: Process?
  private nonisolated(unsafe) var leash: Pipe?

  /// - Parameter options: Further lines of its configuration.
  init(_ options: String = "") throws {
    guard DovecotServer.program != nil else { throw CocoaError(.fileNoSuchFile) }
    port = try Self.freePort()
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
    let process = Process()
    let leash = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The shell reads from a pipe whose other end this process holds: when it is gone, so is the server.
    process.arguments = [
      "-c",
      "\"$1\" -F -c \"$2\" </dev/null & server=$!; read line; kill $server; wait $server; [ \"$line\" ] || rm -rf \"$3\"",
      "sh", DovecotServer.program ?? "", path, folder,
    ]
    process.standardInput = leash
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(forWritingAtPath: folder + "/error") ?? FileHandle.nullDevice
    try process.run()
    self.process = process
    self.leash = leash
    for _ in 0..<1200 {
      if answers() { return }
      usleep(50_000)
    }
    throw CocoaError(.fileReadUnknown)
  }

  /// Ends it, connections and all.
  func stop() {
    try? leash?.fileHandleForWriting.write(contentsOf: Data("stop\n".utf8))
    try? leash?.fileHandleForWriting.close()
    process?.waitUntilExit()
    process = nil
    leash = nil
  }

  /// The log, for a failed test.
  var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

  /// The Maildir of a user.
  func maildir(_ user: String) -> String { folder + "/home/\(user)/Maildir" }

  private var configuration: String {
    let user = getuid() == 0 ? "mail" : NSUserName()
    let group = getuid() == 0 ? "mail" : String(getgid())
    let internalUsers =
      getuid() == 0 ? "" : "default_internal_user = \(user)\ndefault_login_user = \(user)\ndefault_internal_group = \(group)"
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

  /// A port that nobody listens on just now.
  private static func freePort() throws -> Int {
    let socket = socket()
    defer { close(socket) }
    guard withAddress(0, { bind(socket, $0, $1) }) == 0 else { throw CocoaError(.fileReadUnknown) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    guard status == 0 else { throw CocoaError(.fileReadUnknown) }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
