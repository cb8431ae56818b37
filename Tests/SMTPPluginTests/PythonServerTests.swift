import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import SMTPPlugin

/// Against `aiosmtpd`, a server that nobody here wrote.
@Suite(
  .enabled(if: PythonMailServer.isInstalled, "python3-aiosmtpd is not installed"), .serialized,
  .timeLimit(.minutes(10)))
struct PythonServerTests {
  private func plugin(
    _ host: InMemoryHost, port: Int, _ more: JSONObject = [:]
  ) throws -> InMemoryHost.OpenPlugin<SMTPPlugin> {
    host.connectStreams { _ in port }
    var settings: JSONObject = ["host": "localhost", "tls": "none", "from": "me@example.org"]
    for (name, value) in more { settings[name] = value }
    return try host.open(SMTPPlugin.self, configuration: .object(settings))
  }

  @Test func messagesArriveWithTheirFiles() async throws {
    let server = try PythonMailServer()
    let host = InMemoryHost()
    let plugin = try plugin(host, port: server.port)
    let file = "\(server.program.folder)/plan.bin"
    let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    let blob = try await plugin.plugin.context.blobs(plugin).write(Array(bytes.prefix(300_000)))
    let output = try await plugin.call(
      "mail.send",
      [
        "to": ["you@example.org", "nobody@example.org"], "subject": "Grüße", "text": ".\n..\nEnde",
        "attachments": [
          ["path": .string(file)], ["blob": .string(blob.name), "name": "b.bin"],
          ["content": "aGFsbG8=", "name": "c.txt"],
        ],
      ], key: "files")
    #expect(output["accepted"] == ["you@example.org"] && output["queue_id"] == "P1")
    #expect(output["refused"]?.array?.first?["status"] == "5.1.1")
    let script = """
      import email, sys, hashlib
      from email import policy
      message = email.message_from_binary_file(open(sys.argv[1], 'rb'), policy=policy.default)
      print(message['Subject'], repr(message.get_body().get_content()))
      for part in message.iter_attachments():
          content = part.get_payload(decode=True)
          print(part.get_filename(), len(content), hashlib.sha256(content).hexdigest())
      for path in sys.argv[2:]:
          print(hashlib.sha256(open(path, 'rb').read()).hexdigest())
      """
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: try #require(PythonMailServer.python))
    process.arguments = ["-c", script, "\(server.program.folder)/message-0", file]
    process.standardOutput = pipe
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    #expect(said.count == 5)
    #expect(said[0] == #"Grüße '.\n..\nEnde\n'"# || said[0] == #"Grüße '.\n..\nEnde'"#)
    #expect(said[1] == "plan.bin 700001 \(said[4])")
    #expect(said[2] == "b.bin 300000 \(blob.name.dropFirst(12))")
    #expect(said[3].hasPrefix("c.txt 5 "))
  }

  @Test func signInAndAddressesBeyondASCIIWork() async throws {
    let server = try PythonMailServer()
    let host = InMemoryHost()
    for auth in ["plain", "login"] {
      let plugin = try plugin(
        host, port: server.port, ["user": "tim", "password": "tänstaaf", "auth": .string(auth)])
      let report = try await plugin.call("smtp.test")
      #expect(report["signed_in_by"] == .string(auth.uppercased()))
      let output = try await plugin.call(
        "mail.send", ["to": ["jürgen@bücher.example"], "subject": "s", "text": "t"], key: auth)
      #expect(output["accepted"] == ["jürgen@bücher.example"])
    }
    let wrong = try plugin(host, port: server.port, ["user": "tim", "password": "wrong"])
    let error = await #expect(throws: ActionError(.auth, "")) { try await wrong.call("smtp.test") }
    #expect(error?.message.contains("535") == true)
  }

  @Test func refusedMessageSaysSo() async throws {
    let server = try PythonMailServer()
    let host = InMemoryHost()
    let plugin = try plugin(host, port: server.port)
    let mail: JSONValue = ["to": ["you@example.org"], "subject": "refuse", "text": "t"]
    let error = await #expect(throws: ActionError(.invalidInput, "")) { try await plugin.call("mail.send", mail) }
    #expect(error?.message.contains("554 5.6.0 not this") == true)
    #expect(try await plugin.verify("mail.send", mail)["verdict"] == "not_done")
    // The same connection takes the next.
    _ = try await plugin.call("mail.send", ["to": ["you@example.org"], "subject": "s", "text": "t"], key: "next")
    #expect(try server.taken().count == 1)
  }

  /// The connection is cut after every single byte, in both directions. Nothing is lost, nothing doubled.
  @Test func noCutLosesOrDoublesAMessage() async throws {
    let server = try PythonMailServer()
    let host = InMemoryHost()
    let mail: JSONValue = ["to": ["you@example.org", "nobody@example.org"], "subject": "s", "text": "t"]
    try server.setPlan("none")
    do {
      let whole = try plugin(host, port: server.proxyPort)
      _ = try await whole.call("mail.send", mail, key: "run-0.measure")
      // Closes the connection, so that the proxy says how long it was.
      host.advance(by: .seconds(60))
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while (try? server.lengths().up) ?? 0 == 0, ContinuousClock.now < deadline { await Task.yield() }
    let lengths = try server.lengths()
    var verdicts: [String: Int] = [:]
    var unknown: Set<String> = []
    for (direction, length) in [("up", lengths.up), ("down", lengths.down)] {
      for cut in 0..<length {
        let key = "run-1.\(direction).\(cut)"
        try server.setPlan("\(direction) \(cut)")
        // Each as in a process of its own.
        let first = try plugin(host, port: server.proxyPort)
        do throws(ActionError) {
          _ = try await first.call("mail.send", mail, key: key)
          verdicts["sent", default: 0] += 1
          continue
        } catch {
          #expect(error.kind == .io, "\(key): \(error)")
        }
        try server.setPlan("none")
        let second = try plugin(host, port: server.port)
        let verdict = try await second.verify("mail.send", mail, key: key)["verdict"]?.string ?? ""
        verdicts[verdict, default: 0] += 1
        if verdict == "not_done" {
          _ = try await second.call("mail.send", mail, key: key, attempt: 2)
        } else {
          #expect(verdict == "unknown", "\(key)")
          unknown.insert("<\(key)@example.org>")
        }
      }
    }
    let counts = try server.taken().reduce(into: [String: Int]()) { $0[$1.messageID, default: 0] += 1 }
    for (direction, length) in [("up", lengths.up), ("down", lengths.down)] {
      for cut in 0..<length {
        let messageID = "<run-1.\(direction).\(cut)@example.org>"
        let count = counts[messageID, default: 0]
        #expect(count == 1 || count == 0 && unknown.contains(messageID), "\(messageID): \(count)")
      }
    }
    #expect(verdicts["not_done", default: 0] > 100)
    // The bytes of the end and of the reply, and some in which the plugin may not have seen the cut yet.
    #expect((1...400).contains(verdicts["unknown", default: 0]), "\(verdicts)")
  }
}

extension PluginContext {
  /// The blob store of a call.
  fileprivate func blobs(_ plugin: InMemoryHost.OpenPlugin<SMTPPlugin>) -> BlobStore { plugin.callContext().blobs }
}
