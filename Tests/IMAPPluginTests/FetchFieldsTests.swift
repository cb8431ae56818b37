import MailWire
import PluginKit
import PluginKitTesting
import Testing

@testable import IMAPPlugin

/// How much is read of messages.
struct FetchFieldsTests {
  @Test(arguments: [[MessageField.bulk], [.human], [.category], [.subject, .from, .bulk, .human]])
  func fieldsOfAMessageTakeFieldsOfItsHeader(names: [MessageField]) {
    let items = FetchFields(MessageFields(names: Set(names))).items(isGmail: false)
    #expect(items.contains("BODY.PEEK[HEADER.FIELDS (") && !items.contains("BODY.PEEK[HEADER]"))
    #expect(items.contains("PRECEDENCE") && items.contains("FROM") && !items.contains("RECEIVED"))
    #expect(items.contains("BODYSTRUCTURE") == names.contains(.category))
  }

  @Test func fieldsOutsideTheHeaderFetchNone() {
    let items = FetchFields(MessageFields(names: [.flags, .size])).items(isGmail: false)
    #expect(!items.contains("HEADER"))
  }
}

@Suite(.enabled(if: DovecotServer.program != nil, "Dovecot is not installed"), .timeLimit(.minutes(5)))
struct ClassifiedSearchTests {
  /// A message of each kind is sorted by some fields of its header as it is by all of it.
  @Test func someFieldsTellAsMuchAsTheWholeMessage() async throws {
    let account = try TestAccount(try #require(DovecotServer.shared))
    let signs = [
      "X-Nothing: 1", "List-Unsubscribe: <https://x.example>", "List-Post: <mailto:x@example.org>", "Precedence: bulk",
      "Auto-Submitted: auto-replied", "Return-Path: <>", "Feedback-ID: a:b", "X-Spam-Flag: YES", "X-Autoreply: yes",
      "Sender: x@list-manage.com", "List-Unsubscribe-Post: List-Unsubscribe=One-Click", "X-Gmail-Labels: Social",
    ]
    let received = String(
      repeating: "Received: from a.example by b.example; Tue, 1 Jul 2025 10:52:37 +0200\n", count: 4)
    for (number, sign) in signs.enumerated() {
      let subject = number.isMultiple(of: 2) ? "Ihre Rechnung" : "Hallo"
      let program = TestAccount.message(subject, from: "Eva Heide <noreply@x.example>")
      try await account.store("\(received)\(sign)\n" + program)
      try await account.store("\(sign)\n" + TestAccount.message(subject))
    }
    let sorted: Set<String> = ["bulk", "human", "category"]
    let fields: JSONValue = .array(sorted.map(JSONValue.string))
    let page = try await account.call("mail.search", ["fields": fields, "order": "oldest"])
    let messages = page["messages"]?.array ?? []
    #expect(messages.count == 2 * signs.count)
    for message in messages {
      let whole = try await account.call("mail.fetch", ["folder": "INBOX", "uid": message["uid"] ?? .null])["message"]
      for name in sorted { #expect(message[name] == whole?[name], "\(name) of \(whole?["headers"] ?? .null)") }
    }
    #expect(Set(messages.compactMap { $0["category"]?.string }).count >= 4)
    #expect(Set(messages.compactMap { $0["bulk"] }).count == 2)
  }
}
