import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import MaildirPlugin

/// `mail.list`, `mail.export` and `mail.import`.
struct BulkTests {
  private static func text(_ number: Int, lines: Int = 3) -> String {
    "Message-ID: <\(number)@example.org>\r\n\r\n" + String(repeating: "A line of \(number)\r\n", count: lines)
  }

  private func store(
    _ plugin: TemporaryMaildir.Plugin, _ texts: [String], flags: [JSONValue] = []
  ) async throws -> JSONValue {
    var offset = 0
    let blob = try await plugin.plugin.callContext().blobs.write(texts.flatMap { Array($0.utf8) })
    let list = texts.map { text -> JSONValue in
      defer { offset += text.utf8.count }
      return [
        "blob": .string(blob.name), "offset": .integer(Int64(offset)), "size": .integer(Int64(text.utf8.count)),
        "flags": .array(flags), "received": "2020-01-02T03:04:05Z",
      ]
    }
    return try await plugin.call("mail.import", ["folder": "Old", "messages": .array(list)])
  }

  private func uids(_ output: JSONValue) -> [String] {
    (output["messages"]?.array ?? []).compactMap { $0["uid"]?.string }
  }

  @Test(arguments: [0, 1, 300]) func whatIsImportedComesBackTheSame(_ count: Int) async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open()
    let texts = (0..<count).map { Self.text($0, lines: $0 == 7 ? 80_000 : 3) }
    let names = uids(try await store(plugin, texts, flags: ["\\Seen", "urgent"]))
    #expect(Set(names).count == count)
    #expect(temporary.names(".Old/tmp") == [])
    #expect(temporary.names(".Old/cur").count == count)
    let listed = try await plugin.call("mail.list", ["folder": "Old"])
    #expect(uids(listed).sorted() == names.sorted())
    #expect(listed["messages"]?.array?.allSatisfy { $0["flags"] == ["\\Seen", "urgent"] } == true)

    var rest = names
    var found: [String: String] = [:]
    while !rest.isEmpty {
      let output = try await plugin.call(
        "mail.export", ["folder": "Old", "uids": .array(rest.map(JSONValue.string)), "bytes": 10_000])
      let messages = output["messages"]?.array ?? []
      try #require(!messages.isEmpty)
      for message in messages {
        let bytes = try #require(plugin.host.bytes(of: Blob(name: message["blob"]?.string ?? "")))
        let start = Int(try #require(message["offset"]?.integer))
        let end = start + Int(try #require(message["size"]?.integer))
        try #require(end <= bytes.count)
        found[message["uid"]?.string ?? ""] = String(decoding: bytes[start..<end], as: UTF8.self)
        #expect(message["received"] == "2020-01-02T03:04:05Z")
      }
      rest.removeAll { found[$0] != nil }
    }
    #expect(names.map { found[$0] } == texts)
  }

  @Test func theSizesInTheNameAreThoseOfTheFile() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open()
    _ = try await store(plugin, [Self.text(1)])
    let name = try #require(temporary.names(".Old/new").first)
    let wire = Self.text(1).utf8.count
    let size = try temporary.content(".Old/new/" + name).utf8.count
    #expect(size == Self.text(1).replacingOccurrences(of: "\r\n", with: "\n").utf8.count)
    #expect(name.hasSuffix(",S=\(size),W=\(wire)"))
  }

  @Test func labelsWithoutALetterAreLeftOut() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open()
    let labels = (0..<30).map { JSONValue.string("label\($0)") }
    _ = try await store(plugin, [Self.text(1)], flags: labels)
    let flags = try await plugin.call("mail.list", ["folder": "Old"])["messages"]?.array?.first?["flags"]?.array
    #expect(flags?.count == 26)
  }

  @Test func messagesThatHaveGoneAreNamed() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open()
    let names = uids(try await store(plugin, [Self.text(1)]))
    let output = try await plugin.call(
      "mail.export", ["folder": "Old", "uids": .array((["gone"] + names).map(JSONValue.string))])
    #expect(uids(output) == names)
    #expect(output["missing"] == ["gone"])
  }

  @Test func nothingOfACallThatFailsIsThere() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open()
    let blob = try await plugin.plugin.callContext().blobs.write(Array(Self.text(1).utf8))
    let good: JSONValue = ["blob": .string(blob.name), "offset": 0, "size": 10]
    let beyond: JSONValue = ["blob": .string(blob.name), "offset": 5, "size": 1000]
    await #expect(throws: ActionError.self) {
      _ = try await plugin.call("mail.import", ["folder": "Old", "messages": [good, beyond]])
    }
    #expect(temporary.names(".Old/new") + temporary.names(".Old/cur") + temporary.names(".Old/tmp") == [])
  }
}
