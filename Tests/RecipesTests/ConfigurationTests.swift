import Expressions
import Localization
import RecipeModel
import RecipeSyntax
import Schemas
import Testing

@testable import Plans

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
    #expect(configuration.provider("home")?.rate == nil)
    #expect(configuration.defaults(for: "chat") == ["home", "work"])
    #expect(configuration.defaults(for: "mail.transport") == nil)
    #expect(configuration.pluginPaths == ["/etc/sous/plugins", "/opt/plugins"])
  }

  @Test func aProviderSignsInWithTheCredentialsOfAnother() throws {
    let (configuration, diagnostics) = parse(
      """
      providers:
        relay: { plugin: smtp, host: smtp.example.com, credentials_of: work }
        team: { plugin: smtp, host: smtp.example.com, user: team, credentials_of: work }
        other: { plugin: smtp, host: smtp.example.org, token: { oauth: other }, credentials_of: work }
        work: { plugin: imap, host: imap.example.com, user: me, password: { secret: WORK } }
      auth: { other: { issuer: https://id.example.org, client_id: sous } }
      """)
    #expect(diagnostics.isEmpty)
    let relay = try #require(configuration.provider("relay")?.settings)
    #expect(
      relay.redacted
        == .map([
          "host": .string("smtp.example.com"), "user": .string("me"), "password": .map(["secret": .string("WORK")]),
        ]))
    #expect(relay.secrets.map(\.name) == ["WORK"])
    #expect(configuration.provider("team")?.settings.redacted["user"] == .string("team"))
    #expect(configuration.provider("team")?.settings.secrets.map(\.name) == ["WORK"])
    let other = try #require(configuration.provider("other")?.settings.redacted)
    #expect(other["password"] == nil && other["user"] == .string("me"))
  }

  @Test(arguments: ["relay", "wrok", "home"]) func credentialsNeedAProviderThatHasSome(_ name: String) throws {
    let (_, diagnostics) = parse(
      """
      providers:
        relay: { plugin: smtp, host: smtp.example.com, credentials_of: \(name) }
        work: { plugin: imap, host: imap.example.com, user: me, password: { secret: WORK } }
        home: { plugin: maildir, path: mail }
      """)
    #expect(diagnostics.map(\.code) == [name == "home" ? .invalidValue : .unknownProvider])
    #expect(diagnostics.first?.range?.start.line == 2)
  }

  @Test(arguments: [
    ("neutralise: { patterns: ['('] }", 1, "RE2"),
    ("providers: { gpt: { plugin: openai, neutralise: { patterns: [ok, '['] } } }", 1, "RE2"),
    ("providers:\n  gpt: { plugin: openai, neutralise: true }", 2, "'required'"),
    ("providers:\n  gpt: { plugin: openai, neutralise: [person] }", 2, "'required'"),
  ])
  func whatNeutraliseCannotBeIsToldAtItsPlace(text: String, line: Int, words: String) throws {
    let diagnostic = try #require(parse(text).1.first)
    #expect(diagnostic.code == .invalidValue && diagnostic.range?.start.line == line)
    #expect(diagnostic.message.english.contains(words), "\(diagnostic.message.english)")
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

  @Test func secretsAreNamedOrPlaced() throws {
    let (configuration, diagnostics) = parse(
      """
      secrets:
        - environment
        - file: secrets.env
        - credentials
        - command: [pass, show, "sous/{name}", ""]
        - vault
        - vault: { key_file: ~/key, passphrase_file: /etc/p }
      providers:
        a:
          plugin: x
          one: { secret: ONE }
          two: { secret: { env: TWO } }
          three: { secret: { file: ./three } }
          four: { secret: { file: all.env, name: FOUR } }
          five: { secret: { command: [pass, show, mail] } }
      """)
    #expect(diagnostics.isEmpty)
    #expect(
      configuration.secretSources == [
        .environment, .file("secrets.env"), .credentials, .command(["pass", "show", "sous/{name}", ""]),
        .vault(keyFile: nil, passphraseFile: nil), .vault(keyFile: "~/key", passphraseFile: "/etc/p"),
      ])
    let settings = try #require(configuration.provider("a")?.settings)
    #expect(
      settings.secrets.map(\.place) == [
        .name("ONE"), .environment("TWO"), .file("./three", line: nil), .file("all.env", line: "FOUR"),
        .command(["pass", "show", "mail"]),
      ])
    #expect(settings.secrets.map(\.name) == ["ONE", "TWO", "./three", "all.env: FOUR", "pass"])
    #expect(
      settings.redacted
        == [
          "one": ["secret": "ONE"], "two": ["secret": ["env": "TWO"]], "three": ["secret": ["file": "./three"]],
          "four": ["secret": ["file": "all.env", "name": "FOUR"]],
          "five": ["secret": ["command": ["pass", "show", "mail"]]],
        ])
    #expect(parse("secrets: null\n").configuration.secretSources == nil)
    #expect(parse("secrets: []\n").configuration.secretSources == [])
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
    ("engine: { parallel: «0» }\n", ["invalid_value"]),
    ("engine: { retention: { «max»: 3 } }\n", ["unknown_key"]),
    ("engine: { retention: { size: «1Q» } }\n", ["invalid_value"]),
    ("engine: { limits: { text: «65M» } }\n", ["invalid_value"]),
    ("engine: { limits: { «output»: 4MB } }\n", ["unknown_key"]),
    ("engine: { retention: { recipes: { a: { «size»: 1GB } } } }\n", ["unknown_key"]),
    ("engine: { prices: { gpt: { input: «-1» } } }\n", ["invalid_value"]),
    ("engine: { breaker: { open: «soon» } }\n", ["invalid_duration"]),
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
    ("providers: { a: { plugin: x, limits: { memory: «12Q» } } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, limits: { memory: «1K» } } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, limits: { «momery»: 1G } } }\n", ["unknown_key"]),
    ("providers: { a: { plugin: x } }\ndefaults: { chat: [a, «b»] }\n", ["unknown_provider"]),
    (
      "providers: { a: { plugin: x } }\ndefaults: { «mail.stoor»: a, chat: [a, «b», extractive] }\n",
      ["unknown_contract", "unknown_provider"]
    ),
    ("providers: { a: { plugin: x } }\ndefaults: { mail.store: [a, «extractive»] }\n", ["unknown_provider"]),
    ("defaults: { chat: «[]» }\n", ["invalid_value"]), ("plugins: { «path»: x }\n", ["unknown_key"]),
    ("providers: { a: { plugin: x, key: { secret: «1» } } }\n", ["wrong_type"]),
    ("providers: { a: { plugin: x, key: { secret: «a/b» } } }\n", ["invalid_name"]),
    ("providers: { a: { plugin: x, key: { secret: «-x» } } }\n", ["invalid_name"]),
    ("providers: { a: { plugin: x, key: { secret: «{}» } } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, key: { secret: { «path»: x, file: y } } } }\n", ["unknown_key"]),
    ("providers: { a: { plugin: x, key: { secret: { env: x, «file»: y } } } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, key: { secret: { env: x, name: «y» } } } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, key: { secret: { command: «pass show x» } } } }\n", ["wrong_type"]),
    ("providers: { a: { plugin: x, key: { secret: { command: «[]» } } } }\n", ["invalid_value"]),
    ("providers: { a: { plugin: x, key: { «secrt»: x } } }\n", ["unknown_key"]),
    ("secrets: «vault»\n", ["wrong_type"]), ("secrets: [«keychain»]\n", ["invalid_value"]),
    ("secrets: [{ file: «1» }]\n", ["wrong_type"]), ("secrets: [{ vault: { «key»: x } }]\n", ["unknown_key"]),
    ("«- a»\n", ["wrong_type"]),
    ("providers:\n  a: { plugin: x }\n  «a»: { plugin: y }\n", ["duplicate_key"]),
    ("providers: { a: { plugin: «1» } }\n", ["wrong_type"]),
  ])
  func mistakesAreFoundAtTheirPlace(text: String, codes: [String]) {
    let marked = MarkedText(text, path: "sous.yaml")
    let found = Configuration.parse(marked.source).diagnostics
    #expect(found.map(Finding.init) == zip(codes, marked.ranges).map { Finding($0, $1) })
  }

  @Test(arguments: [
    ("{ plugin: x, «hots»: a }", ["hots"], "unknown_key"), ("{ plugin: x, host: «1» }", ["host"], "wrong_type"),
    ("{ plugin: x, ports: [1, «x»] }", ["ports", "1"], "wrong_type"),
    ("{ plugin: x, tls: { «mod»: a } }", ["tls", "mod"], "unknown_key"),
    ("{ plugin: x, tls: «{ mode: a }» }", ["tls", "other"], "missing_key"),
    ("{ plugin: x, token: «{ secret: X }» }", ["token", "none"], "wrong_type"),
  ])
  func settingsAreFoundByTheirPath(marked: String, path: [String], code: String) throws {
    let text = MarkedText("providers:\n  a: \(marked)\n", path: "sous.yaml")
    let settings = try #require(Configuration.parse(text.source).configuration.provider("a")?.settings)
    let violation = SchemaViolation(
      path: path.map { name in Int(name).map { .index($0) } ?? .key(name) }, message: LocalizedText(verbatim: ""),
      code: Diagnostic.Code(rawValue: code))
    #expect(settings.range(of: violation) == text.ranges.first)
  }
}
