import MailWire
import PluginKit
import Testing

struct SpecialFoldersTests {
  @Test(arguments: [
    (["Sent"], SpecialUse.sent), (["Gesendet"], .sent), (["Gesendete Objekte"], .sent), (["Gesendete Elemente"], .sent),
    (["Entwürfe"], .drafts), (["Papierkorb"], .trash), (["Deleted Items"], .trash), (["Gelöschte Elemente"], .trash),
    (["Spam"], .junk), (["Junk-E-Mail"], .junk), (["Junk Email"], .junk), (["Bulk"], .junk), (["Archiv"], .archive),
    (["[Gmail]", "Trash"], .trash), (["[Google Mail]", "Alle Nachrichten"], .all), (["INBOX", "Sent"], .sent),
    (["Projects", "Sent"], nil), (["INBOX"], nil), (["Letters"], nil), (["[Gmail]", "Sent", "Old"], nil), ([], nil),
  ])
  func tellsTheUseByName(_ levels: [String], _ use: SpecialUse?) {
    #expect(SpecialUse(levels: levels) == use)
  }

  @Test func attributeCountsMoreThanName() {
    let folders = SpecialFolders([
      FolderListing(name: "Sent"), FolderListing(name: "Ausgang", attributes: ["\\HasNoChildren", "\\SENT"]),
    ])
    #expect(folders[.sent] == "Ausgang")
    #expect(folders.use(of: "Sent") == nil)
    #expect(folders.use(of: "Ausgang") == .sent)
  }

  @Test func settingCountsMoreThanAttribute() throws {
    var settings = SpecialFolderSettings()
    settings.spam = "Müll"
    let folders = SpecialFolders(
      [FolderListing(name: "Junk", attributes: ["\\Junk"]), FolderListing(name: "Müll")], settings: settings)
    #expect(folders[.junk] == "Müll")
    #expect(folders.use(of: "Junk") == nil)
  }

  @Test func prefersFewerLevelsAndFoldersThatHoldMessages() {
    let folders = SpecialFolders([
      FolderListing(name: "INBOX.Trash", delimiter: "."), FolderListing(name: "Papierkorb", delimiter: "."),
      FolderListing(name: "Sent", attributes: ["\\Noselect"]), FolderListing(name: "Gesendet"),
    ])
    #expect(folders[.trash] == "Papierkorb")
    #expect(folders[.sent] == "Gesendet")
  }

  @Test func gmailArchivesIntoAllMail() {
    let folders = SpecialFolders([FolderListing(name: "[Gmail]/All Mail", attributes: ["\\All"])])
    #expect(folders[.archive] == "[Gmail]/All Mail")
    #expect(folders.use(of: "[Gmail]/All Mail") == .all)
  }
}
