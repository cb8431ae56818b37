import Expressions
import Foundation
import Testing

/// `Scripts/install.sh` puts the program, its plugins and the kit below a prefix, and what it puts there works by itself.
@Suite(.timeLimit(.minutes(15)), .enabled(if: BuiltProducts.areComplete, "needs the products of swift build"))
struct InstallationTests {
  @Test func whatIsInstalledWorksByItself() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["LD_LIBRARY_PATH"] = nil
    let prefix = sous.folder + "/prefix with a space"
    let installed = try sous.run(SousProcess.repository + "/Scripts/install.sh", [BuiltProducts.folder, prefix])
    #expect(installed.status == 0, "\(installed.output)\(installed.errors)")
    let program = prefix + "/bin/sous"

    let plugins = try sous.run(program, ["plugins", "list", "--json"])
    #expect(plugins.status == 0, "\(plugins.errors)")
    let found = try plugins.json.listValue?.compactMap { $0["id"]?.stringValue }.sorted()
    #expect(
      found == [
        "extractive", "imap", "maildir", "mistral", "ntfy", "ollama", "openai", "pdf", "piper", "readeck", "smtp",
        "webhook", "whisper",
      ])

    // Man pages, completion, pages, templates, extensions for editors.
    for file in [
      "man/man1/sous.1.gz", "man/man1/sous-recipes.1.gz", "man/de/man1/sous-run.1.gz",
      "bash-completion/completions/sous",
      "fish/vendor_completions.d/sous.fish", "zsh/site-functions/_sous", "doc/sous/mail.md", "sous/schema/recipe.json",
      "sous/templates/invoices.yaml", "sous/templates/de/inbox-digest.yaml", "doc/sous/tasks/digest.md",
      "doc/sous/de/README.md", "doc/sous/de/tasks/digest.md", "sous/editors/sous.vsix", "sous/editors/sous.lua",
      "sous/apparmor/sous", "doc/sous/schema/recipe.json", "sous/doc/schema/test.json",
    ] {
      #expect(FileManager.default.fileExists(atPath: prefix + "/share/" + file), "\(file)")
    }
    #expect(try sous.run(program, ["docs", "mail"]).output.hasPrefix("# Mail\n"))
    #expect(try sous.run(program, ["docs", "digest", "--lang", "de"]).output.hasPrefix("# Eine Übersicht"))
    // Links that lead out of the installed pages are gone, those between them are kept.
    let page = try String(contentsOfFile: prefix + "/share/doc/sous/de/README.md", encoding: .utf8)
    #expect(
      !page.contains("](../../README.md") && page.contains("](../mail.md)") && page.contains("](tasks/digest.md)"))
    let demo = try sous.run(program, ["demo", "trial", "--no-model"])
    #expect(demo.status == 0 && demo.output.contains("14 unread, 9 from people"), "\(demo.output)\(demo.errors)")

    for (language, mark) in [
      ("swift", "Vendor/PluginKit/Sources/PluginKit/Plugin.swift"), ("c", "include/sous_plugin.h"),
    ] {
      let folder = sous.folder + "/" + language
      let new = try sous.run(program, ["plugins", "new", "mine", "--language", language, "--directory", folder])
      #expect(new.status == 0, "\(new.errors)")
      #expect(FileManager.default.fileExists(atPath: folder + "/" + mark))
    }
    // The kit is that of the installation, not of the sources.
    try FileManager.default.removeItem(atPath: prefix + "/share/sous/PluginKit")
    let without = try sous.run(program, ["plugins", "new", "other"])
    #expect(without.status == 3 && without.errors.contains("make install"))

    // A second installation over the first.
    #expect(try sous.run(SousProcess.repository + "/Scripts/install.sh", [BuiltProducts.folder, prefix]).status == 0)
    #expect(try sous.run(program, ["plugins", "new", "other"]).status == 0)
  }
}

/// What the build has put beside the tests.
private enum BuiltProducts {
  static let folder = (SousProcess.executable as NSString).deletingLastPathComponent

  static var areComplete: Bool {
    [
      "sous", "libmaildir.so", "libimap.so", "libsmtp.so", "libextractive.so", "libopenai.so", "libmistral.so",
      "libollama.so", "libntfy.so", "libwebhook.so", "libreadeck.so", "libpdf.so",
    ].allSatisfy {
      FileManager.default.fileExists(atPath: folder + "/" + $0)
    }
  }
}
