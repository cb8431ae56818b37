import Foundation
import IMAPPlugin
import PluginKit
import PluginKitTesting

/// Reads headers of a mailbox through the plugin, on word from `peers/imap.py`.
///
/// Usage: IMAPBenchmark PORT USER. Reads lines: `headers` fetches the headers of all messages, page by page. Answers with seconds and
/// a number.
let arguments = CommandLine.arguments
guard arguments.count == 3, let port = Int(arguments[1]) else {
  print("usage: IMAPBenchmark PORT USER")
  exit(2)
}

let host = InMemoryHost()
host.connectStreams { _ in port }
let plugin = try host.open(
  IMAPPlugin.self,
  configuration: [
    "host": "mail.example.com", "port": 143, "tls": "none", "user": .string(arguments[2]), "password": "secret",
    "command_timeout": 600,
  ])

let fields: JSONValue = [
  "message_id", "date", "received", "from", "to", "cc", "reply_to", "subject", "size", "flags", "labels", "seen",
  "flagged", "answered", "bulk", "human", "list_id", "list_unsubscribe", "in_reply_to", "references", "thread",
]

/// Writes a line at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func headers() async throws -> Int {
  var count = 0
  var cursor: JSONValue = .null
  repeat {
    var input: JSONObject = ["fields": fields, "limit": 1000]
    if cursor != .null { input["cursor"] = cursor }
    let page = try await plugin.call("mail.search", .object(input))
    count += page["messages"]?.array?.count ?? 0
    cursor = page["cursor"] ?? .null
  } while cursor != .null
  return count
}

while let line = readLine() {
  let start = ContinuousClock.now
  let result: Int
  switch line {
  case "headers": result = try await headers()
  default: exit(0)
  }
  say("\(start.duration(to: .now) / .seconds(1)) \(result)")
}
