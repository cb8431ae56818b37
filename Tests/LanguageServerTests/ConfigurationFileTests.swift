import Expressions
import LanguageServer
import RecipeModel
import Schemas
import Testing

@Suite struct ConfigurationFileTests {
  private static let uri = "file:///project/sous.yaml"

  private static func editor(locale: String = "en") -> Editor {
    Editor(locale: locale, files: [:]) {
      $0.plugins = { _ in ["imap", "maildir"] }
      $0.settings = { provider, _ in
        guard case .id("imap") = provider.plugin else { return nil }
        return Schema(
          document: [
            "type": "object", "required": ["host"],
            "properties": [
              "host": ["type": "string", "description": "The server."],
              "tls": ["enum": ["starttls", "implicit"]],
            ],
          ])
      }
    }
  }

  @Test(arguments: [
    ("¦", ["providers", "defaults", "plugins"]), ("providers:\n  work:\n    plugin: ¦", ["imap", "maildir"]),
    ("providers:\n  work: { plugin: ¦ }", ["imap"]),
    ("providers:\n  work:\n    plugin: imap\n    ¦", ["isolation", "host", "tls"]),
    ("providers:\n  work:\n    plugin: imap\n    tls: ¦", ["starttls", "implicit"]),
    ("providers:\n  work: { plugin: imap, ¦ }", ["host"]), ("defaults:\n  ¦", ["mail.store", "chat"]),
    ("providers:\n  work: { plugin: imap }\ndefaults:\n  mail.store: ¦", ["work"]),
    ("providers:\n  work: { plugin: imap }\ndefaults:\n  mail.store: [¦]", ["work"]),
  ])
  func offersKeysPluginsSettingsAndContracts(_ text: String, _ expected: [String]) {
    var editor = Self.editor()
    let labels = Set(editor.completions(text, uri: Self.uri))
    for label in expected { #expect(labels.contains(label), "\(label) of \(labels.sorted())") }
  }

  @Test func settingIsExplained() {
    var editor = Self.editor()
    #expect(
      editor.hover("providers:\n  work:\n    plugin: imap\n    ho¦st: x\n", uri: Self.uri).contains("The server."))
  }

  @Test(arguments: [
    ("providerss: {}\n", "unknown_key"), ("providers: { a: { path: x } }\n", "missing_key"),
    ("providers: { a: { plugin: maildir } }\ndefaults: { mail.stor: a }\n", "unknown_contract"),
    ("providers: { a: { plugin: maildir } }\ndefaults: { mail.store: b }\n", "unknown_provider"),
    ("providers: { a: { plugin: broken } }\n", "plugin_broken"),
  ])
  func mistakesAreFound(_ text: String, _ code: String) {
    var editor = Self.editor()
    editor.open(text, uri: Self.uri)
    #expect(editor.published[Self.uri]?.compactMap { $0["code"]?.stringValue } == [code])
  }
}
