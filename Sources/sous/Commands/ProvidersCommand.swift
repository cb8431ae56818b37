import ArgumentParser
import Engine
import Expressions
import Localization
import Plans
import PluginHost
import Providers
import RecipeModel
import RecipeSyntax
import RecordJSON
import Schemas
import UseCases

/// `sous providers`: what sous.yaml configures.
struct ProvidersCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "providers",
      abstract: say(
        "List the configured providers and try them out.", de: "Konfigurierte Provider auflisten und probieren."),
      subcommands: [
        ProvidersListCommand.self, ProvidersTestCommand.self, ProvidersDefaultCommand.self, ProvidersImportCommand.self,
      ],
      defaultSubcommand: ProvidersListCommand.self)
  }

  fileprivate static var noneConfigured: String {
    say("sous.yaml names no provider\n", de: "sous.yaml nennt keinen Provider\n")
  }
}

/// `sous providers list`.
struct ProvidersListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say("List the providers of sous.yaml.", de: "Die Provider aus sous.yaml auflisten."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let rows = project.providerEntries
    if format.json {
      writeJSON(.list(rows.map { $0.json(in: Speech.language) }))
    } else {
      let terminal = Terminal()
      var table = TextTable([
        .init(say("provider", de: "Provider")), .init(say("offers", de: "bietet"), .below),
        .init(say("model and use", de: "Modell und Verwendung"), .below),
      ])
      for row in rows {
        let mark = row.problem == nil ? terminal.styled("✓", .green) : terminal.styled("✗", .red)
        var words: [String] = []
        if row.contracts.contains("chat") {
          words.append(row.model ?? "")
          if row.isLocal { words.append(say("local", de: "lokal")) }
        }
        if !row.defaultFor.isEmpty {
          let list = row.defaultFor.joined(separator: ", ")
          words.append(say("default for \(list)", de: "Standard für \(list)"))
        }
        table.append([
          "\(mark) \(row.name)", row.problem?.spoken ?? row.contracts.joined(separator: ", "),
          words.filter { !$0.isEmpty }.joined(separator: " · "),
        ])
      }
      write(rows.isEmpty ? ProvidersCommand.noneConfigured : table.text())
    }
    if rows.contains(where: { $0.problem != nil }) { throw CommandError(ExitStatus.environment) }
  }
}

/// `sous providers test`.
struct ProvidersTestCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "test",
      abstract: say(
        "Try a provider out: connect and sign in, change nothing.",
        de: "Einen Provider probieren: verbinden und anmelden, nichts ändern."))
  }

  /// Seconds that a provider may take.
  static let timeout = 60.0

  @Argument(
    help: ArgumentHelp(
      say(
        "The provider's name; without it all are tried.", de: "Der Name des Providers; ohne ihn werden alle probiert."),
      valueName: "provider"), completion: Completions.providers)
  var provider: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let names = provider.map { [$0] } ?? project.providers.names
    let outcomes = try await Interruption.untilInterrupted {
      await project.test(all: names, timeout: provider == nil ? Self.timeoutOfAll : Self.timeout)
    }
    await project.host.shutdown()
    if provider != nil, let only = outcomes.first {
      try tell(only.outcome, of: only.provider)
    } else {
      try tell(outcomes)
    }
  }

  /// Seconds that one of all providers may take.
  private static let timeoutOfAll = 15.0

  private func tell(_ outcome: Result<ProviderTest, UseCaseError>, of provider: String) throws {
    switch outcome {
    case .success(let test):
      if format.json {
        writeJSON(["provider": .string(provider), "action": .string(test.action), "answer": test.answer])
      } else {
        let terminal = Terminal()
        write("\(terminal.styled("✓", .green)) \(provider)  \(test.action)\n")
      }
    case .failure(let error):
      // Whatever is wrong with a provider, it is one answer to the question whether it works.
      if let failure = error.cause as? ActionFailure {
        throw CommandError(failure, provider: provider, status: ExitStatus.environment)
      }
      throw error
    }
  }

  /// Prints the results; a provider that cannot be tried counts neither as success nor as failure.
  private func tell(_ outcomes: [(provider: String, outcome: Result<ProviderTest, UseCaseError>)]) throws {
    let terminal = Terminal()
    var table = TextTable([
      .init(say("provider", de: "Provider")), .init(say("result", de: "Ergebnis")),
      .init(say("reason", de: "Grund"), .below),
    ])
    var isIll = false
    for (provider, outcome) in outcomes {
      switch outcome {
      case .success(let test):
        table.append(["\(terminal.styled("✓", .green)) \(provider)", test.action])
      case .failure(let error) where error.code == .unsuitableProvider:
        table.append(["– \(provider)", say("not tried", de: "nicht geprüft"), error.message.spoken])
      case .failure(let error):
        isIll = true
        let failure = error.cause as? ActionFailure
        let words = error.trouble.spoken
        table.append([
          "\(terminal.styled("✗", .red)) \(provider)", failure?.kind.words.spoken ?? error.code.rawValue, words,
        ])
      }
    }
    let list = outcomes.map { $0.outcome.json(of: $0.provider, in: Speech.language) }
    if format.json { writeJSON(.list(list)) } else { write(table.text()) }
    if outcomes.isEmpty, !format.json { write(ProvidersCommand.noneConfigured) }
    if isIll { throw CommandError(ExitStatus.environment) }
  }
}

/// `sous providers default`.
struct ProvidersDefaultCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "default",
      abstract: say(
        "Show or set the default provider.",
        de: "Zeigen oder setzen, welcher Provider antwortet, wenn keiner genannt ist."),
      discussion: say(
        """
        Changes 'defaults' in sous.yaml and leaves everything else as it is. Where several answer, the provider becomes the \
        first of them.
        """,
        de: """
          Ändert 'defaults' in sous.yaml und lässt alles andere, wie es ist. Wo mehrere antworten, wird der Provider der \
          erste von ihnen.
          """))
  }

  @Argument(
    help: ArgumentHelp(
      say("The provider, also with a model: gpt/gpt-4o.", de: "Der Provider, auch mit einem Modell: gpt/gpt-4o."),
      valueName: "provider"), completion: Completions.providers)
  var provider: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      say(
        "The contract (default: chat, where the provider offers it).",
        de: "Der Vertrag (Vorgabe: chat, wo der Provider es anbietet)."), valueName: "contract"))
  var contract: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    guard let provider else { return show(project.defaultRoutes) }
    let edit = try project.settingDefault(provider, for: contract)
    // Later changes by others do not belong to this command.
    project.workspace.auditSettings(by: nil)
    let file = try OutputFile(own: edit.path, keepingMode: true)
    try file.write(Array(edit.text.utf8))
    try file.finish()
    project.workspace.auditSettings(by: .ofCommand)
    show([(edit.contract, edit.routes)])
  }

  private func show(_ defaults: [(contract: String, routes: [String])]) {
    if format.json {
      return writeJSON(
        .map(ValueMap(defaults.map { (key: .string($0.contract), value: .list($0.routes.map(Value.string))) })))
    }
    var table = TextTable([
      .init(say("contract", de: "Vertrag")), .init(say("providers", de: "Provider"), .below),
    ])
    for entry in defaults { table.append([entry.contract, entry.routes.joined(separator: ", ")]) }
    let text = table.text()
    write(defaults.isEmpty ? say("sous.yaml sets no default\n", de: "sous.yaml setzt keinen Standard\n") : text)
  }
}
