import Foundation
import PluginKit
import PluginKitTesting
import Synchronization
import Testing

@testable import IMAPPlugin

/// Searches in Gmail's own language (X-GM-RAW), with a server played in memory: Gmail itself is out of reach of tests.
@Suite(.timeLimit(.minutes(5)))
struct GmailSearchTests {
  /// Plays a server with three messages, of which the second and third have what is searched for, and the third alone is
  /// from Anna.
  private func searches(_ capabilities: String, _ input: JSONValue) async throws -> (JSONValue, [String]) {
    let host = InMemoryHost()
    let plugin = try host.open(
      IMAPPlugin.self, configuration: ["host": "mail.example.com", "user": "anna", "password": "geheim-17"])
    let seen = Mutex<[String]>([])
    let all = "CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR ESEARCH \(capabilities)"
    host.accept { peer in
      try await peer.send("* OK [\(all)] ready\r\n")
      while let line = try await peer.readLine() {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let (tag, command) = (parts[0], parts.count > 1 ? parts[1] : "")
        var answer = ""
        if command == "CAPABILITY" || command.hasPrefix("AUTHENTICATE") { answer = "* \(all)\r\n" }
        if command == #"LIST "" """# { answer = "* LIST () \"/\" \"\"\r\n" }
        if command.hasPrefix("EXAMINE") {
          answer = "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 4] x\r\n"
        }
        if command.hasPrefix("UID SEARCH") {
          seen.withLock { $0.append(command) }
          answer = "* ESEARCH (TAG \"\(tag)\") UID ALL \(command.contains("FROM") ? "3" : "2:3")\r\n"
        }
        if command.hasPrefix("UID FETCH") {
          for uid in [2, 3] where !command.hasPrefix("UID FETCH 3 ") || uid == 3 {
            let header = "From: \(uid == 3 ? "Anna <anna@example.org>" : "news@example.org")\r\n\r\n"
            answer +=
              "* \(uid) FETCH (UID \(uid) FLAGS () RFC822.SIZE 9 BODY[HEADER.FIELDS (FROM SENDER)] "
              + "{\(header.utf8.count)}\r\n\(header))\r\n"
          }
        }
        try await peer.send(answer + "\(tag) OK done\r\n")
      }
    }
    let output = try await plugin.call("mail.search", input)
    return (output, seen.withLock { $0 })
  }

  @Test func gmailIsAskedInItsLanguage() async throws {
    let (output, seen) = try await searches(
      "X-GM-EXT-1", ["query": ["gmail": "has:attachment larger:5M"], "fields": ["uid"], "order": "oldest"])
    #expect(seen == ["UID SEARCH RETURN (ALL) X-GM-RAW \"has:attachment larger:5M\""])
    #expect(output["messages"]?.array?.compactMap { $0["uid"]?.string } == ["7.2", "7.3"])
  }

  @Test func whatGmailFindsMeetsTheOtherConditionsToo() async throws {
    let (output, seen) = try await searches(
      "X-GM-EXT-1", ["query": ["and": [["gmail": "has:attachment"], ["from": "anna"]]], "fields": ["uid"]])
    #expect(seen.first == "UID SEARCH RETURN (ALL) X-GM-RAW \"has:attachment\"")
    #expect(seen.count == 2 && seen.last?.contains("UID 2:3") == true)
    #expect(output["messages"]?.array?.compactMap { $0["uid"]?.string } == ["7.3"])
    #expect(output["total"]?.integer == 1)
  }

  @Test func otherServersRefuseIt() async throws {
    await #expect(throws: ActionError(.unsupported, "")) {
      _ = try await searches("", ["query": ["not": ["gmail": "has:attachment"]]])
    }
  }
}
