import Foundation
import Mail
import MailWire
import PluginKit
import PluginKitTesting
import Testing

@testable import IMAPPlugin

@Suite(.enabled(if: DovecotServer.program != nil, "Dovecot is not installed"), .timeLimit(.minutes(10)))
struct SearchTests {
  private static let subjects = ["Rechnung März", "Re: Angebot", "Newsletter", "=?utf-8?q?Gr=C3=BC=C3=9Fe?=", ""]
  private static let senders = [
    "Anna Muster <anna@example.org>", "=?utf-8?q?J=C3=BCrg?= <jk@firma.example>", "news@liste.example",
  ]

  private static func message(_ number: Int) -> String {
    let day = 1 + number % 27
    let zone = ["+0200", "-0800", "+0000"][number % 3]
    let list = number.isMultiple(of: 4) ? "List-Id: <liste.example>\n" : ""
    let date = number % 9 == 8 ? "" : "Date: \(day) Jul 2025 23:\(10 + number % 40):00 \(zone)\n"
    return """
      From: \(senders[number % 3])
      To: owner@example.com
      Cc: \(number.isMultiple(of: 5) ? "chef@firma.example" : "x@y.example")
      Subject: \(subjects[number % 5]) \(number)
      \(date)\(list)Message-ID: <m\(number)@example.org>
      Content-Type: text/plain; charset=utf-8

      Text \(number) \(number.isMultiple(of: 2) ? "gerade" : "ungerade")
      \(String(repeating: "x", count: number * 20))

      """
  }

  private static let queries: [JSONValue] = [
    ["all": true], ["from": "ANNA"], ["from": "jürg"], ["from": "jürg <jk"], ["not": ["from": "anna"]],
    ["subject": "grüße"], ["subject": ""], ["cc": "chef@"], ["header": ["name": "List-Id"]],
    ["not": ["header": ["name": "List-Id", "contains": "liste"]]], ["flag": "\\Seen"], ["not": ["flag": "label"]],
    ["larger": 500], ["smaller": 500], ["since": "2025-07-10"], ["before": "2025-07-10"],
    ["since": "2025-07-10T22:00:00Z"], ["not": ["before": "2025-07-20"]], ["received_since": "2025-07-05"],
    ["received_before": "2025-07-05T12:00:00Z"], ["body": "ungerade"], ["text": "chef@firma"], ["body": "1 gerade"],
    ["and": [["from": "anna"], ["not": ["flag": "\\Seen"]], ["larger": 300]]],
    ["or": [["subject": "angebot"], ["and": [["flag": "label"], ["since": "2025-07-15"]]]]],
    ["or": [["not": ["body": "gerade"]], ["flag": "\\Flagged"]]], ["not": ["or": [["from": "jk"], ["from": "news"]]]],
  ]

  /// What the server and the plugin find together is what the query means.
  @Test(arguments: ["", "imap_capability = IMAP4rev1 UIDPLUS LITERAL+"])
  func serversAndOwnDecisionAgree(_ options: String) async throws {
    let server = options.isEmpty ? try #require(DovecotServer.shared) : try DovecotServer(options)
    let account = try TestAccount(server, ["auth": "plain"])
    var all: [String: (QueryEvidence, Message)] = [:]
    for number in 0..<40 {
      let text = Self.message(number)
      let raw = Data(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8)
      let flags = (number % 3 == 0 ? ["\\Seen"] : []) + (number % 7 == 0 ? ["label", "\\Flagged"] : [])
      let received = MessageDate(secondsSinceEpoch: 1_751_500_000 + number * 9_000)
      let output = try await account.call(
        "mail.append",
        [
          "folder": "INBOX", "raw": .string(raw.base64EncodedString()), "received": .string(received.rfc3339),
          "flags": .array(flags.map(JSONValue.string)),
        ])
      let uid = try #require(output["uid"]?.string)
      let message = Message(parsing: Array(raw))
      all[uid] = (
        QueryEvidence(
          uid: uid, flags: flags, size: raw.count, received: .some(received), header: message, text: message.textBody),
        message
      )
    }
    for json in Self.queries {
      let query = try MailQuery(json).simplified
      let expected = all.values.filter { query.evaluate($0.0) == true }.map(\.0.uid)
      let found = try await account.uids(["query": json, "limit": 1000])
      #expect(Set(found) == Set(expected), "\(json)")
      #expect(found.count == expected.count)
      // The same, page by page, forwards and backwards.
      for order in ["newest", "oldest"] {
        var paged: [String] = []
        var cursor: String?
        repeat {
          var input: JSONObject = ["query": json, "limit": 7, "fields": ["uid"], "order": .string(order)]
          if let cursor { input["cursor"] = .string(cursor) }
          let page = try await account.call("mail.search", .object(input))
          paged += page["messages"]?.array?.compactMap { $0["uid"]?.string } ?? []
          #expect(page["total"] == .integer(Int64(expected.count)))
          cursor = page["cursor"]?.string
        } while cursor != nil
        #expect(Set(paged) == Set(expected) && paged.count == expected.count, "\(json) \(order)")
        if order == "newest" { #expect(paged == found) }
      }
    }
    if !options.isEmpty { server.stop() }
  }

  /// A domain has two spellings, and the header either one.
  @Test(arguments: ["", "imap_capability = IMAP4rev1 UIDPLUS LITERAL+"])
  func domainsAreFoundInEitherSpelling(_ options: String) async throws {
    let server = options.isEmpty ? try #require(DovecotServer.shared) : try DovecotServer(options)
    let account = try TestAccount(server, ["auth": "plain"])
    let senders = [
      "anna@xn--mller-kva.example", "Anna <ANNA@XN--MLLER-KVA.example>", "anna@müller.example", "anna@muller.example",
      "ben@xn--mnchenbank-9db.example",
    ]
    var uids: [String] = []
    for sender in senders {
      let raw = "From: \(sender)\r\nTo: \(sender)\r\nSubject: x\r\nDate: 1 Jul 2025 10:00:00 +0000\r\n\r\ntext\r\n"
      let output = try await account.call(
        "mail.append", ["folder": "INBOX", "raw": .string(Data(raw.utf8).base64EncodedString())])
      uids.append(try #require(output["uid"]?.string))
    }
    let cases: [(String, [Int])] = [
      ("anna@müller.example", [0, 1, 2]), ("anna@xn--mller-kva.example", [0, 1, 2]), ("@müller", [0, 1, 2]),
      ("xn--mller-kva", [0, 1, 2]), ("ller.example", [0, 1, 2, 3]), ("bank.example", [4]), ("anna@", [0, 1, 2, 3]),
      ("xn--", [0, 1, 2, 4]), ("example", [0, 1, 2, 3, 4]), ("anna@bücher.example", []),
    ]
    for (text, expected) in cases {
      for field in ["from", "to"] {
        let found = try await account.uids(["query": [field: .string(text)], "limit": 100])
        #expect(Set(found) == Set(expected.map { uids[$0] }), "\(field) \(text)")
      }
    }
    let page = try await account.call("mail.search", ["limit": 100])
    let shown = page["messages"]?.array?.compactMap { $0["from"]?["address"]?.string } ?? []
    #expect(shown.count { $0.lowercased() == "anna@müller.example" } == 3, "\(shown)")
    if !options.isEmpty { server.stop() }
  }

  /// A filter that moves what it finds and goes on sees every message once.
  @Test(arguments: ["", "imap_capability = IMAP4rev1 UIDPLUS LITERAL+"])
  func pagesStandStillWhileMessagesComeAndGo(_ options: String) async throws {
    let server = options.isEmpty ? try #require(DovecotServer.shared) : try DovecotServer(options)
    let account = try TestAccount(server, ["auth": "plain"])
    for number in 0..<25 { try await account.store(Self.message(number)) }
    let before = Set(try await account.uids(["limit": 100]))
    var seen: [String] = []
    var cursor: String?
    var round = 0
    repeat {
      var input: JSONObject = ["limit": 4, "fields": ["uid"]]
      if let cursor { input["cursor"] = .string(cursor) }
      let page = try await account.call("mail.search", .object(input))
      let uids = page["messages"]?.array?.compactMap { $0["uid"]?.string } ?? []
      seen += uids
      cursor = page["cursor"]?.string
      _ = try await account.call(
        "mail.move", ["folder": "INBOX", "uids": .array(uids.map(JSONValue.string)), "to": "Ablage"])
      try await account.store(TestAccount.message("neu \(round)", date: "Fri, 1 Aug 2031 10:00:00 +0000"))
      round += 1
    } while cursor != nil
    #expect(Set(seen) == before)
    #expect(seen.count == before.count)
    if !options.isEmpty { server.stop() }
  }
}
