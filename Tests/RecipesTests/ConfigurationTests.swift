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
        work: { plugin: ./imap.so, isolation: process, password: { secret: WORK }, ports: [1, { secret: P }] }
      defaults: { mail.store: home, chat: [home, work] }
      plugins: { paths: [plugins, /opt/plugins] }
      """)
    #expect(diagnostics.isEmpty)
    #expect(configuration.providers.map(\.name) == ["home", "work"])
    #expect(configuration.provider("home")?.plugin == .id("maildir"))
    #expect(configuration.provider("work")?.plugin == .file("/etc/sous/imap.so"))
    #expect(configuration.provider("work")?.isolation == .process)
    #expect(configuration.provider("home")?.settings.redacted == .map(["path": .string("examples/mailbox")]))
    let settings = try #require(configuration.provider("work")?.settings)
    #expect(settings.secrets.map(\.name) == ["WORK", "P"])
    #expect(settings.redacted["password"] == .map(["secret": .string("WORK")]))
    #expect(settings.value { .string("value of \($0.name)") }["password"] == .string("value of WORK"))
    #expect(configuration.provider("home")?.rate == nil)
    #expect(configuration.defaults(for: "chat") == ["home", "work"])
    #expect(configuration.defaults(for: "mail.transport") == nil)
    #expect(configuration.pluginPaths == ["/etc/sous/plugins", "/opt/plugins"])
  }

  @Test func limitsAndHostsOfAProviderAreNoSettings() throws {
    let (configuration, diagnostics) = parse(
      """
      providers:
        gpt:
          plugin: openai
          hosts: [api.example.com, 10.0.0.0/8]
          trust: { authorities: ca.pem }
          concurrency: 4
          rate: { requests: 60, per: 30s, burst: 5 }
          model: small
        slow: { plugin: openai, rate: { requests: 10 }, hosts: localhost }
      """)
    #expect(diagnostics.isEmpty)
    let gpt = try #require(configuration.provider("gpt"))
    #expect(gpt.hosts.map(\.value) == ["api.example.com", "10.0.0.0/8"])
    #expect(gpt.trust == .init(authorities: "/etc/sous/ca.pem"))
    #expect(gpt.concurrency == 4)
    #expect(gpt.rate == .init(requests: 60, seconds: 30, burst: 5))
    #expect(gpt.settings.redacted == .map(["model": "small"]))
    #expect(configuration.provider("slow")?.rate == .init(requests: 10, seconds: 60, burst: 1))
    #expect(configuration.provider("slow")?.hosts.map(\.value) == ["localhost"])
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
    ("providers: { a: { plugin: x, concurrency: «0» } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, rate: «60» } }\n", ["wrong_type"]),
    ("providers: { a: { plugin: x, rate: { «per»: 1m } } }\n", ["missing_key"]),
    ("providers: { a: { plugin: x, rate: { requests: «0» } } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, rate: { requests: 1, per: «soon» } } }\n", ["invalid_duration"]),
    ("providers: { a: { plugin: x, hosts: «{}» } }\n", ["wrong_type"]),
    ("providers: { a: { plugin: x, trust: { «ca»: x } } }\n", ["unknown_key"]),
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
