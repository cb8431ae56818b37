import Foundation
import PluginKit
import Testing

@testable import MaildirPlugin

struct FolderActionsTests {
  private func manage(
    _ plugin: TemporaryMaildir.Plugin, _ operation: String, _ folder: String, to: String? = nil
  ) async throws -> JSONValue? {
    var input: JSONObject = ["operation": .string(operation), "folder": .string(folder)]
    if let to { input["to"] = .string(to) }
    return try await plugin.call("mail.folder", .object(input))["changed"]
  }

  @Test func createsOnce() async throws {
    let temporary = try TemporaryMaildir()
    let plugin = try temporary.open()
    #expect(try await manage(plugin, "create", "Projekte/März") == true)
    #expect(temporary.names(".Projekte.M&AOQ-rz") == ["cur", "maildirfolder", "new", "tmp"])
    #expect(try await manage(plugin, "create", "Projekte/März") == false)
  }

  @Test func renamesWithWhatIsInside() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write(".A/cur/1.a:2,S")
    try temporary.write(".A.B/cur/2.a:2,S")
    try temporary.write(".AB/cur/3.a:2,S")
    let plugin = try temporary.open()
    #expect(try await manage(plugin, "rename", "A", to: "Neu/X") == true)
    #expect(temporary.names(".").filter { $0.hasPrefix(".") } == [".AB", ".Neu.X", ".Neu.X.B"])
    #expect(temporary.names(".Neu.X.B/cur") == ["2.a:2,S"])
    // Repeated after a crash.
    #expect(try await manage(plugin, "rename", "A", to: "Neu/X") == false)
    #expect(await kind { try await manage(plugin, "rename", "AB", to: "Neu/X") } == .invalidInput)
    #expect(await kind { try await manage(plugin, "rename", "None", to: "Other") } == .notFound)
    #expect(await kind { try await manage(plugin, "rename", "AB", to: "AB/C") } == .invalidInput)
    #expect(await kind { try await manage(plugin, "rename", "INBOX", to: "C") } == .invalidInput)
    #expect(await kind { try await manage(plugin, "rename", "AB") } == .invalidInput)
    #expect(temporary.names(".AB/cur") == ["3.a:2,S"])
  }

  @Test func deletesOnlyEmptyFolders() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write(".Full/cur/1.a:2,S")
    try temporary.write(".Empty/dovecot-keywords", "0 x\n")
    try temporary.write(".Empty/tmp/left")
    try temporary.write(".Empty.Inner/cur/2.a:2,S")
    let plugin = try temporary.open()
    #expect(await kind { try await manage(plugin, "delete", "Full") } == .invalidInput)
    #expect(await kind { try await manage(plugin, "delete", "INBOX") } == .invalidInput)
    #expect(try await manage(plugin, "delete", "Empty") == true)
    #expect(try await manage(plugin, "delete", "Empty") == false)
    #expect(temporary.names(".").filter { $0.hasPrefix(".") } == [".Empty.Inner", ".Full"])
    #expect(temporary.names(".Full/cur") == ["1.a:2,S"])
  }

  /// A message that comes into the folder while it is removed; here one that nothing counts, as its name is no UTF-8.
  @Test func aFolderThatIsNotEmptyAfterAllIsThereAgain() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write(".Busy/cur/placeholder")
    try FileManager.default.removeItem(atPath: temporary.path + "/.Busy/cur/placeholder")
    for box in ["new", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: temporary.path + "/.Busy/" + box, withIntermediateDirectories: true)
    }
    let name = (temporary.path + "/.Busy/cur/").utf8CString.dropLast() + [CChar(bitPattern: 0xFF), 0x61, 0]
    let isMade = Array(name).withUnsafeBufferPointer { bytes in
      guard let path = bytes.baseAddress else { return false }
      let file = open(path, O_CREAT | O_WRONLY, 0o600)
      return file >= 0 && close(file) == 0
    }
    try #require(isMade)
    let plugin = try temporary.open()
    await #expect(throws: (any Error).self) { try await manage(plugin, "delete", "Busy") }
    #expect(temporary.names(".").filter { $0.hasPrefix(".") } == [".Busy"])
    #expect(temporary.names(".Busy") == ["cur", "new", "tmp"])
    #expect(Array(name).withUnsafeBufferPointer { bytes in bytes.baseAddress.map { access($0, F_OK) } == 0 })
  }

  @Test(arguments: [("V\t2\n\nOther\n", "V\t2\n\nOther\nA\tM&AOQ-rz\n"), ("Other\n", "Other\nA.M&AOQ-rz\n")])
  func subscribesInTheFormOfTheFile(_ before: String, _ after: String) async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("subscriptions", before)
    try temporary.write(".A.M&AOQ-rz/cur/1.a:2,S")
    let plugin = try temporary.open()
    #expect(try await manage(plugin, "subscribe", "A/März") == true)
    #expect(try temporary.content("subscriptions") == after)
    #expect(try await manage(plugin, "subscribe", "A/März") == false)
    #expect(try await manage(plugin, "unsubscribe", "A/März") == true)
    #expect(try temporary.content("subscriptions") == before)
    #expect(try await manage(plugin, "unsubscribe", "A/März") == false)
    #expect(await kind { try await manage(plugin, "subscribe", "None") } == .notFound)
  }

  @Test func archivesAndFilesSpam() async throws {
    let temporary = try TemporaryMaildir()
    try temporary.write("cur/1.a:2,S")
    try temporary.write("cur/2.a:2,S")
    try temporary.write("cur/3.a:2,S")
    try temporary.write(".Archiv/cur/9.a:2,S")
    let plugin = try temporary.open()
    let input: JSONValue = ["folder": "INBOX", "uids": ["1.a"]]
    let output = try await plugin.call("mail.archive", input)
    #expect(output == ["moved": 1, "uids": ["1.a"], "to": "Archiv", "missing": []])
    #expect(try await plugin.call("mail.archive", input, attempt: 2) == output)
    #expect(
      try await plugin.call("mail.spam", ["folder": "INBOX", "uids": ["2.a"]])
        == ["moved": 1, "uids": ["2.a"], "to": "Spam", "missing": []])
    #expect(temporary.names(".Spam/cur") == ["2.a:2,S"])
    let chosen = try temporary.open(["folders": ["archive": "Ablage/2026"]])
    #expect(try await chosen.call("mail.archive", ["folder": "INBOX", "uids": ["3.a"]])["to"] == "Ablage/2026")
    #expect(await kind { try temporary.open(["folders": ["spam": "../x"]]) } == .invalidInput)
  }

  @Test func findsAConversationInAllFolders() async throws {
    let temporary = try TemporaryMaildir()
    func message(_ id: String, _ references: String, _ day: Int) -> String {
      "Message-ID: <\(id)@x>\nReferences: \(references)\nDate: Mon, \(day) Nov 2026 10:00:00 +0000\nSubject: s\n\nText\n"
    }
    try temporary.write("cur/3.a:2,S", message("c", "<a@x> <b@x>", 18))
    try temporary.write("cur/4.a:2,S", message("other", "", 19))
    try temporary.write(".Sent/cur/2.a:2,S", message("b", "<a@x>", 17))
    // Knows the beginning of the conversation only by way of b.
    try temporary.write(".Archive/cur/5.a:2,S", message("d", "<b@x>", 20))
    let plugin = try temporary.open()
    let output = try await plugin.call("mail.thread", ["folder": "INBOX", "uid": "3.a", "fields": ["subject"]])
    #expect(
      output["messages"]?.array?.map { $0["folder"]?.string ?? "" } == ["Sent", "INBOX", "Archive"])
    #expect(output["messages"]?.array?.first?.object?.keys == ["uid", "folder", "subject"])
    #expect(await kind { try await plugin.call("mail.thread", ["folder": "INBOX", "uid": "9.a"]) } == .notFound)
  }
}
