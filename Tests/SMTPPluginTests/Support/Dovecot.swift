import Foundation
import LoopbackPorts

/// A Dovecot of a test's own: IMAP where copies go, and LMTP where it is installed. Every user has the password `secret`.
struct Dovecot {
  static let path = PythonMailServer.python == nil ? nil : ServerProgram.path("dovecot")
  static let hasLMTP = FileManager.default.isExecutableFile(atPath: "/usr/lib/dovecot/lmtp")

  let program: ServerProgram
  let imapPort: Int
  let lmtpPort: Int

  /// - Parameter sentFolder: The folder with the attribute `\Sent`; `nil` for a server that has none.
  init(sentFolder: String? = "Gesendet") throws {
    let folder = try ServerProgram.makeFolder()
    imapPort = try LoopbackPort.free()
    lmtpPort = try LoopbackPort.free()
    for name in ["run", "state", "home"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
    }
    if let user = getpwnam("mail")?.pointee { chown("\(folder)/home", user.pw_uid, user.pw_gid) }
    let lmtp =
      Self.hasLMTP
      ? "service lmtp {\n inet_listener lmtp {\n address = 127.0.0.1\n port = \(lmtpPort)\n }\n}\n" : ""
    let special = sentFolder.map { "mailbox \($0) {\n special_use = \\Sent\n auto = create\n }\n" } ?? ""
    try """
    protocols = imap \(Self.hasLMTP ? "lmtp" : "")
    listen = 127.0.0.1
    base_dir = \(folder)/run
    state_dir = \(folder)/state
    log_path = \(folder)/mail.log
    ssl = no
    disable_plaintext_auth = no
    auth_mechanisms = plain login scram-sha-256
    auth_failure_delay = 0
    first_valid_uid = 1
    mail_location = maildir:~/Maildir
    passdb {
      driver = static
      args = password=secret
    }
    userdb {
      driver = static
      args = uid=mail gid=mail home=\(folder)/home/%n
    }
    namespace inbox {
      inbox = yes
      separator = .
      prefix =
      \(special)
    }
    service imap-login {
      chroot =
      inet_listener imap {
        port = \(imapPort)
      }
      inet_listener imaps {
        port = 0
      }
    }
    service anvil {
      chroot =
    }
    \(lmtp)
    """.write(toFile: "\(folder)/dovecot.conf", atomically: true, encoding: .utf8)
    // Threads of Swift block signals, and Dovecot ends its own processes when it is told to end.
    let unblocked =
      "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execv(sys.argv[1], sys.argv[1:])"
    program = try ServerProgram(
      PythonMailServer.python ?? "python3",
      ["-c", unblocked, Self.path ?? "dovecot", "-F", "-c", "\(folder)/dovecot.conf"], folder: folder,
      ports: [imapPort] + (Self.hasLMTP ? [lmtpPort] : []), isKilled: false)
  }

  /// The messages of a user's folder; `nil` for INBOX.
  func messages(of user: String, in name: String? = nil) -> [String] {
    let maildir = "\(program.folder)/home/\(user)/Maildir" + (name.map { "/.\($0)" } ?? "")
    return ["new", "cur"].flatMap { part in
      ((try? FileManager.default.contentsOfDirectory(atPath: "\(maildir)/\(part)")) ?? []).compactMap {
        try? String(contentsOfFile: "\(maildir)/\(part)/\($0)", encoding: .utf8)
      }
    }
  }
}
