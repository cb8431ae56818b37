import Expressions
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PluginsNewCommandTests {
  @Test(arguments: [
    "Weather", "-x", "_x", "a b", "", "maildir", "sous", "mail", "http", "chat", "notes", "sleep",
    String(repeating: "x", count: 65), "../x", "ü",
  ])
  func whatIsNoNameIsRefused(name: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("plugins", "new", "--lang", "de", "--directory", "here", "--", name)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("Fehler:"))
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/here"))
  }

  @Test func aFolderThatHoldsSomethingIsLeftAsItIs() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("mine/Package.swift", "precious")
    let outcome = try sous("plugins", "new", "mine")
    #expect(outcome.status == 2)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: sous.folder + "/mine") == ["Package.swift"])
    #expect(try String(contentsOfFile: sous.folder + "/mine/Package.swift", encoding: .utf8) == "precious")
  }

  @Test func namesGoWhereTheyBelong() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("plugins", "new", "my-2nd_one", "--directory", "a/b", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["written"]?.listValue?.contains("Sources/My2ndOnePlugin/My2ndOnePlugin.swift") == true)
    let folder = sous.folder + "/a/b"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { !$0.hasPrefix("Vendor") }
    #expect(files.contains(".gitignore"))
    for file in files {
      guard let text = try? String(contentsOfFile: folder + "/" + file, encoding: .utf8) else { continue }
      #expect(!text.contains("__"), "\(file)")
    }
  }

  @Test func theCopyOfTheKitIsReplaced() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    #expect(try sous("plugins", "new", "one").status == 0)
    #expect(try sous("plugins", "new", "two", "--language", "c").status == 0)
    try sous.write("one/Vendor/PluginKit/VERSION", "0.0.1")
    try sous.write("one/Vendor/PluginKit/Sources/PluginKit/Stray.swift", "stray")
    try sous.write("two/include/sous_plugin.h", "old")
    #expect(try sous("plugins", "kit", "one").status == 0)
    #expect(try sous("plugins", "kit", "two").status == 0)
    let version = try String(contentsOfFile: sous.folder + "/one/Vendor/PluginKit/VERSION", encoding: .utf8)
    #expect(version != "0.0.1")
    #expect(
      !FileManager.default.fileExists(atPath: sous.folder + "/one/Vendor/PluginKit/Sources/PluginKit/Stray.swift"))
    let header = try String(contentsOfFile: sous.folder + "/two/include/sous_plugin.h", encoding: .utf8)
    #expect(header.contains("SOUS_PLUGIN_MAGIC"))
    #expect(try sous("plugins", "kit", ".").status == 2)
  }
}
