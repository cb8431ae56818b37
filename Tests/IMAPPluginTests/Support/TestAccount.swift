import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import IMAPPlugin

/// A mailbox of its own on a server, and the plugin configured for it.
struct TestAccount: Sendable {
  let user: String
  let host: InMemoryHost
  let plugin: InMemoryHost.OpenPlugin<IMAPPlugin>
  /// A server of its own ends with the last who holds it.
  private let server: DovecotServer

  /// - Parameters:
  ///   - server: The server; a new user each time.
  ///   - user: A user who exists already.
  ///   - settings: Further settings.
  init(
    _ server: DovecotServer, user: String? = nil, host: InMemoryHost? = nil, via port: Int? = nil,
    _ settings: JSONObject = [:]
  ) throws {
    let name = user ?? "u" + UUID().uuidString.prefix(8).lowercased()
    self.user = name
    self.server = server
    let host = host ?? InMemoryHost()
    let port = port ?? server.port
    host.connectStreams { _ in port }
    self.host = host
    let standard: JSONObject = [
      "host": "mail.example.com", "port": 143, "tls": "none", "user": .string(name), "password": "secret",
      "from": "Owner <owner@example.com>",
    ]
    plugin = try host.open(
      IMAPPlugin.self, configuration: .object(standard.merging(settings) { _, other in other }))
  }

  func call(_ action: String, _ input: JSONValue = [:], key: String = UUID().uuidString, attempt: Int = 1) async throws
    -> JSONValue
  {
    try await plugin.call(action, input, key: key, attempt: attempt)
  }

  /// Stores a message and gives its uid.
  @discardableResult
  func store(_ message: String, in folder: String = "INBOX", flags: [String] = []) async throws -> String {
    let raw = Data(message.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8)
    let output = try await call(
      "mail.append",
      [
        "folder": .string(folder), "raw": .string(raw.base64EncodedString()),
        "flags": .array(flags.map(JSONValue.string)),
      ])
    return try #require(output["uid"]?.string)
  }

  /// The subjects in a folder, sorted.
  func subjects(_ folder: String) async throws -> [String] {
    let output = try await call(
      "mail.search", ["folder": .string(folder), "limit": 1000, "fields": ["subject"]])
    return (output["messages"]?.array ?? []).compactMap { $0["subject"]?.string }.sorted()
  }

  /// The uids of a search.
  func uids(_ input: JSONObject) async throws -> [String] {
    let output = try await call("mail.search", .object(input.merging(["fields": ["uid"]]) { own, _ in own }))
    return (output["messages"]?.array ?? []).compactMap { $0["uid"]?.string }
  }

  static func message(
    _ subject: String, from: String = "Anna Muster <anna@example.org>", id: String? = nil,
    date: String = "Tue, 1 Jul 2025 10:52:37 +0200", text: String = "Guten Tag"
  ) -> String {
    """
    From: \(from)
    To: owner@example.com
    Subject: \(subject)
    Date: \(date)
    Message-ID: <\(id ?? UUID().uuidString)@example.org>
    MIME-Version: 1.0
    Content-Type: text/plain; charset=utf-8

    \(text)

    """
  }
}
