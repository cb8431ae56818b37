import ArgumentParser
import Localization

/// The commands by what people do with them, and the page that `sous` and `sous --help` show.
enum FirstPage {
  /// Every command, in the groups of `sous help all`.
  static var groups: [CommandGroup] {
    [
      CommandGroup(
        name: say("everyday", de: "Alltag"),
        subcommands: everyday + [
          RemindersCommand.self, NotesCommand.self, NotificationsCommand.self, BookmarksCommand.self,
          DocsCommand.self,
        ]),
      CommandGroup(
        name: say("mail", de: "Mail"),
        subcommands: [MailCommand.self, SendCommand.self, OutboxCommand.self, SummariesCommand.self, SieveCommand.self]),
      CommandGroup(
        name: say("models", de: "Modelle"),
        subcommands: [
          ChatsCommand.self, ModelsCommand.self, AssistantCommand.self, UsageCommand.self, CatalogCommand.self,
          NeutraliseCommand.self,
          ResolveCommand.self,
        ]),
      CommandGroup(
        name: say("automation", de: "Automation"),
        subcommands: [
          RecipesCommand.self, SchedulesCommand.self, TriggersCommand.self, StateCommand.self, ResumeCommand.self,
          RetryCommand.self,
          ReplayCommand.self, CancelCommand.self, LogsCommand.self, StatsCommand.self, TopCommand.self,
        ]),
      CommandGroup(
        name: say("upkeep", de: "Betrieb"),
        subcommands: [
          DoctorCommand.self, ProvidersCommand.self, SecretsCommand.self, AuthCommand.self, TrustCommand.self,
          DatabaseCommand.self,
          ExportCommand.self, VersionCommand.self,
        ]),
      CommandGroup(
        name: say("access", de: "Zugang"),
        subcommands: [UsersCommand.self, TokensCommand.self, RolesCommand.self, AuditCommand.self]),
      CommandGroup(
        name: say("authors", de: "Autoren"),
        subcommands: [
          ValidateCommand.self, TestCommand.self, ExplainCommand.self, EvalCommand.self, SchemaCommand.self,
          PluginsCommand.self, LanguageServerCommand.self,
        ]),
    ]
  }

  /// Commands whose work another one does now; they work as before, and no list shows them.
  static let former: [any ParsableCommand.Type] = [
    WorkCommand.self, ApproveCommand.self, RejectCommand.self, EventCommand.self, SettleCommand.self,
  ]

  /// The ten that most people begin with.
  private static let everyday: [any ParsableCommand.Type] = [
    DemoCommand.self, InitCommand.self, RunCommand.self, ServeCommand.self, StatusCommand.self, RunsCommand.self,
    ShowCommand.self, AnswerCommand.self, RemindCommand.self, ChatCommand.self,
  ]

  /// Whether a command line asks for this page: nothing, `help`, `--help` or `-h`, and no command.
  static func isWanted(_ arguments: [String]) -> Bool {
    let rest = withoutLanguage(arguments)
    return rest.isEmpty || rest.count == 1 && ["help", "--help", "-h"].contains(rest.first)
  }

  /// Whether a command line asks for all commands: `help all`.
  static func isAllWanted(_ arguments: [String]) -> Bool { withoutLanguage(arguments) == ["help", "all"] }

  private static func withoutLanguage(_ arguments: [String]) -> [String] {
    var rest = arguments
    while let place = rest.firstIndex(of: "--lang") { rest.removeSubrange(place..<min(place + 2, rest.endIndex)) }
    return rest.filter { !$0.hasPrefix("--lang=") }
  }

  /// The page, in lines that fit the terminal.
  static func text(_ terminal: Terminal = Terminal()) -> String {
    var commands = TextTable()
    let first = configurations(everyday)
    for command in first { commands.append(["  " + (command.commandName ?? ""), command.abstract]) }
    let shown = Set(first.map { $0.commandName ?? "" })
    var others = TextTable()
    for group in groups {
      let names = configurations(group.subcommands).map { $0.commandName ?? "" }.filter { !shown.contains($0) }
      others.append(["  " + group.name, names.joined(separator: ", ")])
    }
    return paragraph(Sous.configuration.abstract, terminal) + "\n"
      + say("Usage: sous COMMAND …", de: "Aufruf: sous BEFEHL …") + "\n\n" + commands.text(terminal) + "\n"
      + say("More commands:", de: "Weitere Befehle:") + "\n" + others.text(terminal) + "\n"
      + paragraph(
        say(
          "'sous COMMAND --help' shows a command, 'sous help all' all commands with what they do.",
          de: "'sous BEFEHL --help' zeigt einen Befehl, 'sous help all' alle Befehle mit ihrer Beschreibung."), terminal
      )
  }

  private static func paragraph(_ text: String, _ terminal: Terminal) -> String {
    text.wrapped(to: terminal.columns ?? .max).map { $0 + "\n" }.joined()
  }

  private static func configurations(_ commands: [any ParsableCommand.Type]) -> [CommandConfiguration] {
    var found: [CommandConfiguration] = []
    for command in commands { found.append(command.configuration) }
    return found
  }
}
