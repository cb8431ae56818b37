import Expressions
import FixturePlugins
import Foundation
import LoopbackPorts
import Synchronization
import Testing

/// `sous plugins check` and `sous plugins doc` on libraries a C compiler has made.
@Suite(.timeLimit(.minutes(15))) struct PluginsCheckCommandTests {
  @Test func pluginInCPasses() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("plugins", "check", try FixtureLibrary.flaky(), "--calls", "500", "--json")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(try outcome.json["passed"] == .bool(true))
  }

  /// The misdeed, the check that finds it, and what it says.
  @Test(arguments: [
    ("INVALID_UTF8", "actions", "protocol"), ("NULL_PAYLOAD", "actions", "protocol"),
    ("INVALID_JSON", "actions", "JSON"), ("OUTPUT_AGAINST_SCHEMA", "actions", "misbehaving.act"),
    ("CRASHES", "actions", "SIGSEGV"), ("CRASHES_ON_THREAD", "actions", "SIGSEGV"), ("EXITS", "actions", "status 0"),
    ("NEVER_COMPLETES", "actions", "did not end"), ("BLOCKS_IN_START", "actions", "did not end"),
    ("COMPLETES_TWICE", "actions", "twice"),
    ("CRASHES_IN_CREATE", "creation", "SIGSEGV"), ("CREATE_FAILS", "creation", "misbehaving"),
    ("SLEEPS_IN_DESTROY", "closing", "destroy"),
  ])
  func misdeedIsFoundAndTheCheckGoesOn(_ misdeed: String, _ check: String, _ words: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("plugins", "check", try FixtureLibrary.misbehaving(misdeed), "--calls", "10", "--json")
    #expect(outcome.status == 1, "\(outcome.output) \(outcome.errors)")
    let checks = try outcome.json["checks"]?.listValue ?? []
    let found = checks.first { $0["check"] == .string(check) }
    #expect(found?["outcome"] == "failed", "\(outcome.output)")
    let messages = found?["findings"]?.listValue?.compactMap { $0["message"]?.stringValue } ?? []
    #expect(messages.contains { $0.contains(words) }, "\(messages)")
    // Whatever happened in calls, the checks behind them were made.
    if check == "actions" { #expect(checks.last?["check"] == "closing") }
  }

  /// The check calls the plugin as a recipe would, with no more rights.
  @Test func constructorCanDoNoMoreThanACall() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    sous.environment["SOUS_TEST_SECRET"] = "hunter22!"
    let library = try FixtureLibrary.misbehaving("INTRUDES_ON_LOAD")
    let outcome = try sous("plugins", "check", library, "--calls", "10", "--json")
    // It crashes where it can do something, in the worker of the calls as in that of the memory check.
    let checks = try outcome.json["checks"]?.listValue ?? []
    for name in ["handshake", "creation", "actions", "memory"] {
      #expect(checks.first { $0["check"] == .string(name) }?["outcome"] == "passed", "\(outcome.output)")
    }
    #expect(try sous("plugins", "show", library).status == 0)
  }

  @Test func memoryLostByAnyActionIsFound() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("plugins", "check", try FixtureLibrary.forgetful(), "--calls", "4000", "--json")
    #expect(outcome.status == 1, "\(outcome.output) \(outcome.errors)")
    let checks = try outcome.json["checks"]?.listValue ?? []
    let messages = checks.first { $0["check"] == "memory" }?["findings"]?.listValue ?? []
    #expect(messages.count == 1 && messages.first?["message"]?.stringValue?.contains("forgetful.lose") == true)
    #expect(checks.filter { $0["outcome"] == "failed" }.count == 1)
  }

  @Test func madeUpInputReachesNobodyUnlessLive() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let server = try SilentServer()
    defer { server.end() }
    let settings = #"{"base_url": "http://127.0.0.1:\#(server.port)"}"#
    let outcome = try sous("plugins", "check", "ollama", "--calls", "10", "--settings", settings)
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(outcome.output.contains("3 asked for the network"))
    #expect(server.connections() == 0)
    let live = try sous("plugins", "check", "ollama", "--calls", "10", "--settings", settings, "--live")
    #expect(live.status == 0, "\(live.output) \(live.errors)")
    #expect(server.connections() > 0)
  }

  /// What must not be carried out reaches nobody either, although the plugin does not look at its input.
  @Test func actionWithAnEffectReachesNobodyUnlessItMayBeCarriedOut() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let server = try SilentServer()
    defer { server.end() }
    let settings = #"{"base_url": "http://127.0.0.1:\#(server.port)"}"#
    let arguments = [
      "plugins", "check", try FixtureLibrary.careless(), "--calls", "10", "--settings", settings, "--live",
    ]
    let careful = try sous.run(SousProcess.executable, arguments)
    #expect(careful.status == 0, "\(careful.output) \(careful.errors)")
    #expect(server.connections() == 0)
    // The key that is verified is not the one under which was ordered.
    let live = try sous.run(SousProcess.executable, arguments + ["--effects"])
    #expect(live.status == 0, "\(live.output) \(live.errors)")
    #expect(server.connections() > 0)
  }

  @Test(arguments: [
    ("EMPTY_MANIFEST", "manifest"), ("OTHER_ID", "manifest"), ("WITHOUT_ENTRY", "handshake"),
    ("WRONG_MAGIC", "handshake"), ("CRASHES_ON_LOAD", "handshake"),
  ])
  func pluginThatDoesNotLoadFailsInTheReport(_ misdeed: String, _ check: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let library =
      misdeed == "WITHOUT_ENTRY" ? try FixtureLibrary.withoutEntry() : try FixtureLibrary.misbehaving(misdeed)
    let outcome = try sous("plugins", "check", library, "--json")
    #expect(outcome.status == 1, "\(outcome.output) \(outcome.errors)")
    #expect(try outcome.json["passed"] == .bool(false))
    let last = try outcome.json["checks"]?.listValue?.last
    #expect(last?["check"] == .string(check) && last?["outcome"] == "failed", "\(outcome.output)")
    let message = last?["findings"]?.listValue?.first?["message"]?.stringValue ?? ""
    #expect(!message.isEmpty)
    // Where the table is not found, what exports one is.
    let isLost = ["WITHOUT_ENTRY", "WRONG_MAGIC"].contains(misdeed)
    #expect(message.contains("@_cdecl(\"sous_plugin_entry_v1\")") == isLost, "\(message)")
  }

  @Test func referencePageNamesSettingsAndActions() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("plugins", "doc", "extractive")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("# extractive\n"))
    #expect(outcome.output.contains("### chat.complete") && outcome.output.contains("| `prompt` |"))
  }

  /// What a user has to know to fill in the settings, in both forms.
  @Test(arguments: [("show", "the host in the setting 'base_url'"), ("doc", "{base_url}")])
  func settingsAreShownWithWhatIsAllowed(_ command: String, host: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let library = try FixtureLibrary.careless()
    let output = try sous("plugins", command, library).output
    let german = try sous("plugins", command, "--lang", "de", library).output
    for words in ["base_url", "required", "uri", "1–5", "small", "large", "default 2", "secret", host] {
      #expect(output.contains(words), "\(words) in \(output)")
    }
    for words in ["nötig", "Vorgabe 2", "geheim"] { #expect(german.contains(words), "\(words) in \(german)") }
  }

  @Test func triggersAreShownAndDescribed() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let services = try FixtureLibrary.services()
    let shown = try sous("plugins", "show", services, "--json")
    let triggers = try shown.json["triggers"]?.listValue ?? []
    try #require(!triggers.isEmpty, "\(shown.output) \(shown.errors)")
    let name = try #require(triggers.first?["name"]?.stringValue)
    #expect(try sous("plugins", "show", services).output.contains("\n\(name)  "))
    #expect(try sous("plugins", "doc", services).output.contains("## Triggers\n\n### \(name)\n"))
  }

  @Test func settingsThatAreNoObjectAreRefused() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    #expect(try sous("plugins", "check", try FixtureLibrary.flaky(), "--settings", "[1]").status == 2)
    #expect(try sous("plugins", "check", "nowhere").status == 3)
  }
}

/// A server that hangs up on everybody, and counts them.
private final class SilentServer: Sendable {
  private let listener: LoopbackListener
  private let count = Mutex(0)

  init() throws {
    listener = try LoopbackListener()
    listener.serve { [self] connection in
      count.withLock { $0 += 1 }
      close(connection)
    }
  }

  var port: Int { listener.port }

  /// How many have come so far.
  func connections() -> Int { count.withLock { $0 } }

  func end() { listener.end() }
}
