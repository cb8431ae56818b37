import Foundation
import Testing

@testable import Mail

struct ExampleMailboxTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("examples/mailbox")

  /// Every message file of the mailbox, by its folder and its name up to the comma.
  private static let files: [String: URL] = {
    var files: [String: URL] = [:]
    for folder in ["", ".Archive", ".Sent"] {
      for subfolder in ["cur", "new"] {
        let url = root.appendingPathComponent(folder).appendingPathComponent(subfolder)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] {
          files["\(folder)/\(name.prefix { $0 != "," })"] = url.appendingPathComponent(name)
        }
      }
    }
    return files
  }()

  private func read(_ example: ExampleMessage) throws -> (message: Message, file: URL) {
    let file = try #require(ExampleMailboxTests.files["\(example.folder)/\(example.name)"])
    return (Message(parsing: try [UInt8](Data(contentsOf: file))), file)
  }

  @Test func tableListsEveryFile() {
    #expect(Set(ExampleMailboxTests.files.keys) == Set(ExampleMessage.all.map { "\($0.folder)/\($0.name)" }))
    #expect(ExampleMessage.all.count { $0.folder.isEmpty } >= 40)
  }

  @Test(arguments: ExampleMessage.all)
  func messageIsRead(example: ExampleMessage) throws {
    let (message, file) = try read(example)
    #expect(message.subject == example.subject)
    #expect(message.from.first?.address.contains("@") == true)
    #expect(message.date != nil)
    #expect(message.messageID != nil)
    #expect(!message.textBody.isEmpty)
    #expect(!message.snippet().contains("\n"))
    if let fragment = example.fragment { #expect(message.textBody.contains(fragment), "\(message.textBody)") }
    for text in [message.subject, message.textBody] + message.from.map(\.displayName) {
      #expect(!text.contains("\u{FFFD}") && !text.contains("=?"))
    }
    // The file's name tells size and flags.
    #expect(file.lastPathComponent.contains(",S=\(message.size)"))
    let isNew = file.deletingLastPathComponent().lastPathComponent == "new"
    let flags = file.lastPathComponent.split(separator: ":").dropFirst().first ?? ""
    #expect((isNew || !flags.contains("S")) == example.isUnread)
  }

  @Test(arguments: ExampleMessage.all)
  func messageIsClassified(example: ExampleMessage) throws {
    let (message, _) = try read(example)
    let result = Classifier(owners: ["jana.keller@example.com"]).classify(message)
    #expect(result.category == example.category, "\(result.reasons.map(\.rawValue))")
    if example.category == .people { #expect(result.isHuman && !result.isBulk) }
  }

  @Test func unreadPeopleAreWorthSummarising() throws {
    let people = ExampleMessage.all.filter { $0.isUnread && $0.category == .people }
    #expect(people.count >= 9)
    for example in people {
      #expect(try read(example).message.textBody.count > 350, "\(example.subject)")
    }
  }

  @Test func brokenMessageTellsItsDefect() throws {
    let example = try #require(ExampleMessage.all.first { $0.subject.hasPrefix("Abrechnung Vereinskasse") })
    #expect(try read(example).message.defects.map(\.code) == [.boundaryNotFound])
    let broken = try ExampleMessage.all.filter { try !read($0).message.defects.isEmpty }
    #expect(broken.count == 1)
  }

  @Test(arguments: [
    ("Your receipt for order 88213", ["receipt-88213.pdf application/pdf"]),
    ("Rechnung Oktober, Gartenpflege", ["Rechnung Oktober über 412 CHF.pdf application/pdf"]),
    ("Coûts de la fête", ["Übersicht der Kosten für das Sommerfest 2027 - Entwurf 3.csv text/csv"]),
    ("Entwurf für das Plakat", ["plakat.png image/png", "Plakat-Druck.pdf application/pdf"]),
    ("Fwd: Bestätigung der Kündigung", ["Bestaetigung.eml message/rfc822"]),
    ("Liste aus dem Büro", ["winmail.dat application/ms-tnef"]),
    ("Protokoll freigegeben", ["smime.p7s application/pkcs7-signature"]),
    ("Einladung: Quartalsplanung (Mo 30. Nov. 2026, 14:00)", ["- text/calendar"]),
    ("Invitation: Christmas concert rehearsal", ["- text/calendar", "invite.ics application/ics"]),
    ("Undelivered Mail Returned to Sender", ["- message/delivery-status", "- message/rfc822"]),
    ("Danke!", []),
  ])
  func attachmentsAreListed(subject: String, expected: [String]) throws {
    let example = try #require(ExampleMessage.all.first { $0.subject == subject })
    let attachments = try read(example).message.attachments
    #expect(attachments.map { "\($0.name ?? "-") \($0.type)" } == expected)
    for attachment in attachments {
      #expect(attachment.size == attachment.part.decodedBytes.count)
      if attachment.type == "application/pdf" { #expect(attachment.part.decodedBytes.starts(with: "%PDF-1.4".utf8)) }
    }
  }

  @Test func threadWithTheOwnerHangsTogether() throws {
    let thread = try ExampleMessage.all.filter { $0.subject.hasSuffix("Budget for the reading room") }
      .map { try read($0).message }.sorted { $0.threadReferences.count < $1.threadReferences.count }
    #expect(thread.count == 3)
    let identifiers = thread.compactMap(\.messageID)
    #expect(thread.map(\.threadReferences) == [[], [identifiers[0]], [identifiers[0], identifiers[1]]])
    #expect(thread[1].from.first?.address == "jana.keller@example.com")
  }
}
