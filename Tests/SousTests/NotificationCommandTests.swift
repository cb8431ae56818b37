import Expressions
import Foundation
import TestSupport
import Testing

/// `notify.send` from the recipe to whoever gets it, and `sous notifications`.
@Suite(.timeLimit(.minutes(15))) struct NotificationCommandTests {
  private static let recipe = """
    name: backup
    retry: { attempts: 4, backoff: 10ms, jitter: 0 }
    steps:
      - id: tell
        uses: notify.send
        with: { title: Backup, text: "Grüezi\\n3 files", priority: high, tags: [disk], link: "https://example.com/1" }

    """

  @Test func theInboxIsReadAndCleared() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    let recipe = try sous.write("backup.yaml", Self.recipe)
    #expect(try sous("notifications").output == "no notifications\n")
    for _ in 0..<3 { #expect(try sous("run", recipe).status == 0) }
    #expect(try sous("status").output.contains("● 3 unread notifications: sous notifications"))
    let list = try sous("notifications", "--unread", "--json").json.listValue ?? []
    #expect(list.map { $0["number"] } == [3, 2, 1])
    #expect(list.first?["text"] == "Grüezi\n3 files")
    #expect(list.first?["provider"] == .null)

    let shown = try sous("notifications", "show", "2").output
    #expect(shown.hasPrefix("Backup\nGrüezi\n3 files\n\nhttps://example.com/1\n"))
    #expect(shown.contains("sous show \(list[1]["run"]?.stringValue ?? "?")"))
    #expect(try sous("notifications", "read", "1").output == "1 read\n")
    #expect(try sous("notifications", "unread", "2").output == "1 unread\n")
    #expect(try sous("notifications", "list", "--unread").output.split(separator: "\n").count == 3)
    #expect(try sous("notifications", "clear").output == "1 cleared away\n")
    #expect(try sous("notifications", "clear", "--all", "--json").json == ["changed": 2])
    #expect(try sous("notifications", "show", "2").status == 2)
    #expect(try sous("--lang", "de", "notifications").output == "keine Benachrichtigungen\n")
  }

  /// A secret that is missing before the first request is handled as a refused request.
  @Test func aNotificationWhoseProviderLacksItsSecretIsInTheInboxWithTheReason() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    func configure(_ notify: String) throws {
      try sous.write(
        "sous.yaml",
        """
        providers:
          chat: { plugin: webhook, url: "http://127.0.0.1:9/hook", token: { secret: NOT_THERE } }
        defaults: { notify: \(notify) }

        """)
    }
    try configure("chat")
    let recipe = try sous.write("bad.yaml", "name: bad\nsteps: [{ uses: fail, with: { message: no room } }]\n")
    #expect(try sous("run", "--queue", recipe).status == 0)
    // The run of the notice waits for its next attempt.
    #expect(try sous("work", "--until-idle").output.contains("1 waiting"))
    let list = try sous("notifications", "--json").json.listValue ?? []
    #expect(list.count == 1 && list.first?["trouble"]?.stringValue?.contains("NOT_THERE") == true, "\(list)")
    #expect(try sous("notifications").output.contains("not delivered"))
    // With a list, the next provider delivers the notice.
    try configure("[chat, inbox]")
    let other = try sous.write("other.yaml", "name: other\nsteps: [{ uses: fail, with: { message: no room } }]\n")
    #expect(try sous("run", "--queue", other).status == 0)
    #expect(try sous("work", "--until-idle").output.contains("failure-notice"))
    let notice = try sous("runs", "--limit", "1", "--json").json[0]
    #expect(notice?["recipe"] == "failure-notice" && notice?["status"] == "succeeded", "\(String(describing: notice))")
  }

  @Test func aWebhookGetsItSignedAndOnce() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["HOOK_SECRET"] = Receiver.secret
    let receiver = try Receiver(sous, failures: 2)
    try sous.write(
      "sous.yaml",
      """
      providers:
        hook:
          plugin: webhook
          url: http://127.0.0.1:\(receiver.port)/in?team=1
          secret: { secret: { env: HOOK_SECRET } }
          body: { summary: "{title}", detail: "{text}", id: "{key}" }
      engine: { breaker: { failures: 100 } }

      """)
    let recipe = try sous.write("backup.yaml", Self.recipe)
    let outcome = try sous("run", recipe, "--json")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")

    let requests = try receiver.requests
    #expect(requests.count == 3)
    let run = try #require(try sous("runs", "--json").json.listValue?.first?["id"]?.stringValue)
    for request in requests {
      #expect(request["signed"] == true)
      #expect(request["path"] == "/in?team=1")
      #expect(request["headers"]?["idempotency-key"] == .string("\(run).tell"))
      #expect(request["body"] == ["summary": "Backup", "detail": "Grüezi\n3 files", "id": .string("\(run).tell")])
    }
    let list = try sous("notifications", "--json").json.listValue ?? []
    #expect(list.count == 1)
    #expect(list.first?["provider"] == "hook")
    #expect(list.first?["delivered_at"]?.stringValue != nil)
    #expect(list.first?["trouble"] == .null)
  }

  @Test func whatCannotBeDeliveredIsInTheInbox() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["HOOK_SECRET"] = Receiver.secret
    let receiver = try Receiver(sous, failures: 100)
    try sous.write(
      "sous.yaml",
      """
      providers: { hook: { plugin: webhook, url: "http://127.0.0.1:\(receiver.port)/", secret: { secret: { env: HOOK_SECRET } } } }
      engine: { breaker: { failures: 100 } }

      """)
    let recipe = try sous.write("backup.yaml", Self.recipe)
    #expect(try sous("run", recipe).status == 1)
    #expect(try sous("notifications").output.contains("not delivered"))
    #expect(try sous("notifications", "show", "1").output.contains("503"))
  }

  /// What failed is told by the daemon's policy, to whom `sous.yaml` says.
  @Test func aFailureIsToldByWebhook() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["HOOK_SECRET"] = Receiver.secret
    let receiver = try Receiver(sous, failures: 0)
    try sous.write(
      "sous.yaml",
      """
      providers:
        hook: { plugin: webhook, url: "http://127.0.0.1:\(receiver.port)/", secret: { secret: { env: HOOK_SECRET } } }
      engine: { on_failure: { provider: hook } }

      """)
    let recipe = try sous.write("bad.yaml", "name: bad\nsteps: [{ uses: fail, with: { message: no room } }]\n")
    for _ in 0..<2 { #expect(try sous("run", "--queue", recipe).status == 0) }
    _ = try sous("work", "--until-idle")
    let requests = try receiver.requests
    #expect(requests.map { $0["body"]?["title"] } == ["bad failed"])
    #expect(requests.first?["body"]?["text"]?.stringValue?.contains("no room") == true)
    #expect(try sous("notifications", "--json").json.listValue?.count == 1)
  }

  @Test func theInboxShowsThatTheMailOfANoticeFailsAlthoughTheWebhookTookIt() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["HOOK_SECRET"] = Receiver.secret
    let receiver = try Receiver(sous, failures: 0)
    try sous.write(
      "sous.yaml",
      """
      providers:
        hook: { plugin: webhook, url: "http://127.0.0.1:\(receiver.port)/", secret: { secret: { env: HOOK_SECRET } } }
        post: { plugin: smtp, host: 127.0.0.1, user: me, password: { secret: NOT_THERE }, from: me@example.org }
      defaults: { mail.transport: post }
      engine: { on_failure: { provider: hook, mail: me@example.org } }

      """)
    let recipe = try sous.write("bad.yaml", "name: bad\nsteps: [{ uses: fail, with: { message: no room } }]\n")
    #expect(try sous("run", "--queue", recipe).status == 0)
    _ = try sous("work", "--until-idle")
    let notice = try #require(try sous("notifications", "--json").json.listValue?.first)
    #expect(notice["delivered_at"]?.stringValue != nil && notice["trouble"] == .null, "\(notice)")
    #expect(notice["mail_trouble"]?.stringValue?.contains("NOT_THERE") == true, "\(notice)")
    #expect(try sous("notifications").output.contains("not delivered"))
    #expect(try sous("notifications", "show", "1").output.contains("not sent by mail: "))
  }
}

/// A server that takes webhooks, with Python's HTTP and HMAC; it ends with this process.
private final class Receiver {
  struct NotReady: Error {}

  static let secret = "s3cret-of-the-hook"

  let port: Int
  private let folder: String
  private let process = Process()
  private let input = Pipe()

  init(_ sous: SousProcess, failures: Int) throws {
    folder = sous.folder + "/receiver"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", SousProcess.repository + "/Tests/Fixtures/notify/receiver.py", folder, Self.secret, String(failures),
    ]
    process.standardInput = input
    try process.run()
    let portFile = folder + "/port"
    try eventuallyBlocking { FileManager.default.fileExists(atPath: portFile) }
    guard let text = try? String(contentsOfFile: portFile, encoding: .utf8), let port = Int(text) else {
      throw NotReady()
    }
    self.port = port
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  var requests: [Value] {
    get throws {
      let text = (try? String(contentsOfFile: folder + "/requests", encoding: .utf8)) ?? ""
      return try text.split(separator: "\n").map { try Value(json: Array($0.utf8)) }
    }
  }
}
