import Foundation
import LoopbackPorts
import PluginKit
import PluginKitTesting
import TestSupport
import Testing

@testable import SMTPPlugin

/// Against Postfix and its `smtp-sink`, servers that nobody here wrote, on private ports.
@Suite(
  .enabled(if: ServerProgram.path("smtp-sink") != nil && getuid() == 0, "needs Postfix, and to be root"), .serialized,
  .timeLimit(.minutes(10)))
struct PostfixTests {
  private let mail: JSONValue = ["to": ["you@example.test"], "subject": "s", "text": "t\n.\n"]

  private func plugin(
    _ host: InMemoryHost, port: Int, _ more: JSONObject = [:]
  ) throws -> InMemoryHost.OpenPlugin<SMTPPlugin> {
    host.connectStreams { _ in port }
    var settings: JSONObject = ["host": "localhost", "tls": "none", "from": "me@example.test"]
    for (name, value) in more { settings[name] = value }
    return try host.open(SMTPPlugin.self, configuration: .object(settings))
  }

  private func sink(_ options: [String]) throws -> (ServerProgram, port: Int) {
    let port = try LoopbackPort.free()
    let program = try ServerProgram(
      try #require(ServerProgram.path("smtp-sink")), options + ["-u", "nobody", "127.0.0.1:\(port)", "100"],
      folder: try ServerProgram.makeFolder(), ports: [port])
    return (program, port)
  }

  @Test(arguments: [[], ["-p"], ["-8"], ["-e"], ["-E"], ["-L"]] as [[String]])
  func everySortOfServerTakesMessages(_ options: [String]) async throws {
    let (program, port) = try sink(options)
    let plugin = try plugin(InMemoryHost(), port: port, options == ["-L"] ? ["protocol": "lmtp"] : [:])
    for number in 0..<20 {
      let output = try await plugin.call("mail.send", mail, key: "k\(number)")
      #expect(output["accepted"] == ["you@example.test"])
    }
    withExtendedLifetime(program) {}
  }

  /// `-f`: a refusal, `-r`: one that may pass, `-q`: the server hangs up instead of the answer.
  @Test(arguments: ["-f", "-r", "-q"], ["ehlo,helo", "mail", "rcpt", "data", "."])
  func failureAtEveryCommandIsTold(_ option: String, _ command: String) async throws {
    let (program, port) = try sink([option, command])
    let plugin = try plugin(InMemoryHost(), port: port)
    let error = await #expect(throws: ActionError.self) { try await plugin.call("mail.send", mail) }
    let verdict = try await plugin.verify("mail.send", mail)["verdict"]
    switch option {
    case "-q":
      #expect(error?.kind == .io)
      #expect(verdict == (command == "." ? "unknown" : "not_done"))
    case "-r":
      #expect(error?.kind == .server && verdict == "not_done")
    default:
      #expect(error.map { ![.io, .timeout, .protocol, .server].contains($0.kind) } == true && verdict == "not_done")
    }
    withExtendedLifetime(program) {}
  }

  @Test func postfixDeliversWhatWasSentOnce() async throws {
    let postfix = try Postfix()
    let host = InMemoryHost()
    let plugin = try plugin(host, port: postfix.port)
    let report = try await plugin.call("smtp.test")
    #expect(report["size_limit"] == 100_000_000)
    #expect(report["extensions"]?.array?.contains("CHUNKING") == true)

    // Large enough to go in chunks.
    let file = "\(postfix.program.folder)/large.bin"
    try Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }).write(
      to: URL(fileURLWithPath: file))
    let output = try await plugin.call(
      "mail.send",
      [
        "to": ["you@example.test", "jürgen@example.test", "stranger@example.test", "me@elsewhere.example"],
        "subject": "large", "text": "t", "attachments": [["path": .string(file)]],
      ], key: "large")
    #expect(output["accepted"] == ["you@example.test", "jürgen@example.test", "me@elsewhere.example"])
    #expect(output["refused"]?.array?.map { $0["status"] } == ["5.1.1"])
    let queueID = try #require(output["queue_id"]?.string)
    for number in 0..<30 { _ = try await plugin.call("mail.send", mail, key: "small-\(number)") }

    let delivered = try await postfix.delivered(32)
    #expect(delivered.count == 32)
    #expect(delivered.filter { $0.contains("Message-ID: <large@example.test>") }.count == 2)
    #expect(delivered.first { $0.contains("<large@example.test>") }?.contains(queueID) == true)
    #expect(delivered.filter { $0.contains("\n\nt\n.\n") }.count == 30)
    for number in 0..<30 {
      #expect(delivered.filter { $0.contains("Message-ID: <small-\(number)@example.test>") }.count == 1)
    }
  }

  /// The connection is cut at points spread over all bytes of the conversation, each time for another message. What the
  /// plugin does not know a person finds out in the mailbox. In the end every message is there once.
  ///
  /// `SOUS_SMTP_CUTS` says for how many messages; a report is printed where it is set.
  @Test(.enabled(if: PythonMailServer.isInstalled, "python3-aiosmtpd is not installed"))
  func everyMessageArrivesOnceHoweverTheConnectionIsCut() async throws {
    let wanted = ProcessInfo.processInfo.environment["SOUS_SMTP_CUTS"].flatMap { Int($0) }
    let count = wanted ?? 60
    let postfix = try Postfix()
    let proxy = try PythonMailServer(before: postfix.port)
    let host = InMemoryHost()
    try proxy.setPlan("none")
    do {
      let whole = try plugin(host, port: proxy.proxyPort)
      _ = try await whole.call("mail.send", mail, key: "measure")
      host.advance(by: .seconds(60))
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while (try? proxy.lengths().up) ?? 0 == 0, ContinuousClock.now < deadline { await Task.yield() }
    let lengths = try proxy.lengths()
    var verdicts: [String: Int] = [:]
    var unknown: [String] = []
    var connections = 1
    for number in 0..<count {
      let length = number % 2 == 0 ? lengths.up : lengths.down
      let cut = (number / 2) * length / max(1, count / 2)
      try proxy.setPlan("\(number % 2 == 0 ? "up" : "down") \(cut)")
      let key = "cut-\(number)"
      connections += 1
      do throws(ActionError) {
        _ = try await call(host, proxy.proxyPort, key)
        verdicts["sent", default: 0] += 1
        continue
      } catch {
        #expect(error.kind == .io, "\(key) at \(cut): \(error)")
      }
      let verdict = try await plugin(host, port: postfix.port).verify("mail.send", mail, key: key)["verdict"]?.string
      verdicts[verdict ?? "", default: 0] += 1
      if verdict == "not_done" {
        connections += 1
        _ = try await call(host, postfix.port, key, attempt: 2)
      } else {
        #expect(verdict == "unknown", "\(key)")
        unknown.append(key)
      }
    }
    try await postfix.hasEnded(connections: connections)
    let there = try await postfix.delivered(0)
    let lost = unknown.filter { key in !there.contains { $0.contains("Message-ID: <\(key)@example.test>") } }
    for key in lost { _ = try await call(host, postfix.port, key, attempt: 3) }
    let delivered = try await postfix.delivered(count + 1)
    var copies: [String: Int] = [:]
    for message in delivered {
      let line = message.split(separator: "\n").first { $0.hasPrefix("Message-ID: <") } ?? ""
      copies[String(line.dropFirst(13).prefix { $0 != "@" }), default: 0] += 1
    }
    #expect(delivered.count == count + 1)
    #expect((0..<count).allSatisfy { copies["cut-\($0)"] == 1 })
    #expect(verdicts["not_done", default: 0] > count / 4, "\(verdicts)")
    guard wanted != nil else { return }
    print("\(count) messages, cuts over \(lengths.up) bytes up and \(lengths.down) down: \(verdicts);")
    print(
      "of \(unknown.count) unknown \(unknown.count - lost.count) had arrived; \(delivered.count - 1) delivered, each once"
    )
  }

  private func call(_ host: InMemoryHost, _ port: Int, _ key: String, attempt: Int = 1) async throws(ActionError) {
    let open: InMemoryHost.OpenPlugin<SMTPPlugin>
    do { open = try plugin(host, port: port) } catch { throw ActionError(.invalidInput, "\(error)") }
    _ = try await open.call("mail.send", mail, key: key, attempt: attempt)
  }

  /// What a mail server of today does with reports, recipients at once, and encryption that has to stay.
  @Test func reportsAreAskedForAndEncryptionIsInsistedOn() async throws {
    let postfix = try Postfix()
    let (host, asking) = (InMemoryHost(), InMemoryHost())
    let plugin = try plugin(
      host, port: postfix.port, ["notify": ["on": ["success", "failure"], "return": "headers"]])
    let output = try await plugin.call("mail.send", mail, key: "report")
    #expect(output["accepted"] == ["you@example.test"])
    // The report goes to the sender, who has a mailbox here: the message itself, and "delivered".
    let delivered = try await postfix.delivered(1)
    #expect(delivered.contains { $0.contains("Message-ID: <report@example.test>") })
    #expect(
      try await postfix.logs("sender delivery status notification"))
    // Without TLS nobody can promise that it stays.
    let strict = try self.plugin(asking, port: postfix.port, ["require_tls": true])
    let error = await #expect(throws: ActionError(.unsupported, "")) { try await strict.call("mail.send", mail) }
    #expect(error?.message.contains("REQUIRETLS") == true)
  }

  @Test func messageThatIsTooLargeIsNotSent() async throws {
    let postfix = try Postfix(sizeLimit: 200_000)
    let plugin = try plugin(InMemoryHost(), port: postfix.port)
    let content = String(repeating: "QUJD", count: 60_000)
    let large: JSONValue = [
      "to": ["you@example.test"], "subject": "s", "text": "t", "attachments": [["content": .string(content)]],
    ]
    await #expect(throws: ActionError(.invalidInput, "")) { try await plugin.call("mail.send", large) }
    _ = try await plugin.call("mail.send", mail, key: "small")
    #expect(try await postfix.delivered(1).count == 1)
  }
}

/// Postfix with a configuration, a queue and mailboxes of its own.
struct Postfix {
  let program: ServerProgram
  let port: Int

  init(sizeLimit: Int = 100_000_000) throws {
    let folder = try ServerProgram.makeFolder()
    port = try LoopbackPort.free()
    let files = FileManager.default
    for name in ["conf", "spool", "data", "mail"] {
      try files.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
    }
    // What one call gives the next one overwrites.
    guard let user = getpwnam("postfix").map({ ($0.pointee.pw_uid, $0.pointee.pw_gid) }),
      let owner = getpwnam("nobody").map({ ($0.pointee.pw_uid, $0.pointee.pw_gid) })
    else { throw ServerProgram.NotStarted(description: "no user postfix") }
    chown("\(folder)/data", user.0, user.1)
    chown("\(folder)/mail", owner.0, owner.1)
    try """
    compatibility_level = 3.6
    queue_directory = \(folder)/spool
    data_directory = \(folder)/data
    mail_owner = postfix
    setgid_group = postdrop
    command_directory = /usr/sbin
    daemon_directory = /usr/lib/postfix/sbin
    myhostname = mx.example.test
    mynetworks = 127.0.0.0/8
    inet_interfaces = 127.0.0.1
    inet_protocols = ipv4
    mydestination =
    alias_maps =
    smtputf8_enable = yes
    virtual_mailbox_domains = example.test
    virtual_mailbox_base = \(folder)/mail
    virtual_mailbox_maps = inline:{ { you@example.test = inbox/ } , { jürgen@example.test = inbox/ } }
    virtual_uid_maps = static:\(owner.0)
    virtual_gid_maps = static:\(owner.1)
    virtual_minimum_uid = 100
    virtual_mailbox_limit = 0
    message_size_limit = \(sizeLimit)
    smtpd_recipient_restrictions = permit_mynetworks, reject_unauth_destination
    default_transport = discard
    relay_transport = discard
    maillog_file = \(folder)/mail.log
    maillog_file_prefixes = /tmp

    """.write(toFile: "\(folder)/conf/main.cf", atomically: true, encoding: .utf8)
    try """
    127.0.0.1:\(port) inet n - n - - smtpd
    postlog unix-dgram n - n - 1 postlogd
    pickup unix n - n 60 1 pickup
    cleanup unix n - n - 0 cleanup
    qmgr unix n - n 300 1 qmgr
    rewrite unix - - n - - trivial-rewrite
    bounce unix - - n - 0 bounce
    defer unix - - n - 0 bounce
    trace unix - - n - 0 bounce
    proxymap unix - - n - - proxymap
    error unix - - n - - error
    retry unix - - n - - error
    discard unix - - n - - discard
    virtual unix - n n - - virtual
    anvil unix - - n - 1 anvil

    """.write(toFile: "\(folder)/conf/master.cf", atomically: true, encoding: .utf8)
    let postfix = ServerProgram.path("postfix") ?? "postfix"
    program = try ServerProgram(
      postfix, ["-c", "\(folder)/conf", "start"], folder: folder, ports: [port],
      stop: [postfix, "-c", "\(folder)/conf", "stop"])
  }

  /// Waits until so many connections are over and everything that was taken is delivered.
  func hasEnded(connections: Int) async throws {
    try await eventually {
      let log = (try? String(contentsOfFile: "\(program.folder)/mail.log", encoding: .utf8)) ?? ""
      let begun = log.split(separator: "\n").count { $0.contains(" connect from ") }
      let ended = log.split(separator: "\n").count { $0.contains(" disconnect from ") }
      return begun >= connections && ended >= begun && isQueueEmpty
    }
  }

  private var isQueueEmpty: Bool {
    ["maildrop", "incoming", "active", "deferred"].allSatisfy { name in
      let names = FileManager.default.enumerator(atPath: "\(program.folder)/spool/\(name)")?.allObjects ?? []
      // Folders of one letter are those of the hashed queue.
      return names.allSatisfy { (($0 as? String) ?? "").split(separator: "/").allSatisfy { $0.count == 1 } }
    }
  }

  /// Whether the log says something, within a minute.
  func logs(_ text: String) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      let log = (try? String(contentsOfFile: "\(program.folder)/mail.log", encoding: .utf8)) ?? ""
      if log.contains(text) { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  /// The messages in the mailboxes, as soon as there are so many; those that are there after a minute.
  func delivered(_ count: Int) async throws -> [String] {
    let folder = "\(program.folder)/mail/inbox/new"
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      if names.count >= count || ContinuousClock.now > deadline {
        return try names.map {
          String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")), as: UTF8.self)
        }
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
