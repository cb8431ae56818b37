import Expressions
import Recipes
import Testing

private func parse(_ text: String, path: String = "/etc/sous/sous.yaml") -> (
  configuration: Configuration, diagnostics: [Diagnostic]
) {
  Configuration.parse(SourceText(path: path, text: text))
}

@Suite struct ConfigurationTests {
  @Test func providersDefaultsAndPathsAreRead() throws {
    let (configuration, diagnostics) = parse(
      """
      providers:
        home: { plugin: maildir, path: examples/mailbox }
        work: { plugin: ./imap.so, isolation: process, limits: { memory: 512M, cpu: 30s, files: 100 }, password: { secret: WORK }, ports: [1, { secret: P }] }
      defaults: { mail.store: home, chat: [home, work] }
      plugins: { paths: [plugins, /opt/plugins] }
      """)
    #expect(diagnostics.isEmpty)
    #expect(configuration.providers.map(\.name) == ["home", "work"])
    #expect(configuration.provider("home")?.plugin == .id("maildir"))
    #expect(configuration.provider("work")?.plugin == .file("/etc/sous/imap.so"))
    #expect(configuration.provider("work")?.isolation == .process)
    #expect(configuration.provider("work")?.limits.memory == 512 << 20)
    #expect(configuration.provider("work")?.limits.processorSeconds == 30)
    #expect(configuration.provider("work")?.limits.threads == nil)
    #expect(configuration.provider("work")?.limits.files == 100)
    #expect(configuration.provider("home")?.settings.redacted == .map(["path": .string("examples/mailbox")]))
    let settings = try #require(configuration.provider("work")?.settings)
    #expect(settings.secrets.map(\.name) == ["WORK", "P"])
    #expect(settings.redacted["password"] == .map(["secret": .string("WORK")]))
    #expect(settings.value { .string("value of \($0.name)") }["password"] == .string("value of WORK"))
    #expect(configuration.defaults(for: "chat") == ["home", "work"])
    #expect(configuration.defaults(for: "mail.transport") == nil)
    #expect(configuration.pluginPaths == ["/etc/sous/plugins", "/opt/plugins"])
  }

  @Test(arguments: [
    ("sous.yaml", ".", "x"), ("./sous.yaml", ".", "x"), ("a/b/sous.yaml", "a/b", "a/b/x"), ("/sous.yaml", "/", "/x"),
  ])
  func pathsStartAtTheFile(path: String, directory: String, resolved: String) {
    let configuration = parse("", path: path).configuration
    #expect(configuration.directory == directory)
    #expect(configuration.resolve("x") == resolved)
    #expect(configuration.resolve("/abs") == "/abs")
  }

  @Test(arguments: ["", "# nothing yet\n", "providers:\ndefaults:\nplugins:\n"])
  func anEmptyConfigurationIsFine(text: String) {
    #expect(parse(text).diagnostics.isEmpty)
    #expect(parse(text).configuration.providers.isEmpty)
  }

  @Test(arguments: [
    ("«provider»: {}\n", ["unknown_key"]), ("providers: { «home»: {} }\n", ["missing_key"]),
    ("providers: { home: «maildir» }\n", ["wrong_type"]), ("providers: { «a b»: { plugin: x } }\n", ["invalid_name"]),
    ("providers: { a: { plugin: x, isolation: «proces» } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, limits: { memory: «12Q» } } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, limits: { memory: «1K» } } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, limits: { «momery»: 1G } } }\n", ["unknown_key"]),
    ("providers: { a: { plugin: x } }\ndefaults: { chat: [a, «b»] }\n", ["unknown_provider"]),
    ("defaults: { chat: «[]» }\n", ["invalid_value"]), ("plugins: { «path»: x }\n", ["unknown_key"]),
    ("providers: { a: { plugin: x, key: { secret: «1» } } }\n", ["wrong_type"]), ("«- a»\n", ["wrong_type"]),
    ("providers:\n  a: { plugin: x }\n  «a»: { plugin: y }\n", ["duplicate_key"]),
    ("providers: { a: { plugin: «1» } }\n", ["wrong_type"]),
  ])
  func mistakesAreFoundAtTheirPlace(text: String, codes: [String]) {
    let marked = MarkedText(text, path: "sous.yaml")
    let found = Configuration.parse(marked.source).diagnostics
    #expect(found.map(Finding.init) == zip(codes, marked.ranges).map { Finding($0, $1) })
  }
}
