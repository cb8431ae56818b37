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
          ChatsCommand.self, ModelsCommand.self, UsageCommand.self, CatalogCommand.self, NeutraliseCommand.self,
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
    var rest = arguments[...]
    while rest.first == "--lang" { rest = rest.dropFirst(2) }
    if rest.first?.hasPrefix("--lang=") == true { rest = rest.dropFirst() }
    return rest.isEmpty || rest.count == 1 && ["help", "--help", "-h"].contains(rest.first)
  }

  /// Whether a command line asks for all commands: `help all`.
  static func isAllWanted(_ arguments: [String]) -> Bool {
    arguments.filter { $0 != "--lang" }.prefix(2) == ["help", "all"]
  }

  /// The page, in lines that fit the terminal.
  static func text(_ terminal: Terminal = Terminal()) -> String {
    var commands = TextTable()
    for command in everyday {
      commands.append(["  " + (command.configuration.commandName ?? ""), command.configuration.abstract])
    }
    var others = TextTable()
    for group in groups {
      let names = group.subcommands.compactMap(\.configuration.commandName)
        .filter { name in !everyday.contains { $0.configuration.commandName == name } }
      others.append(["  " + group.name, names.joined(separator: ", ")])
    }
    return Sous.configuration.abstract.fitted(to: terminal).joined(separator: "\n") + "\n\n"
      + say("Usage: sous COMMAND …", de: "Aufruf: sous BEFEHL …") + "\n\n" + commands.text(terminal) + "\n"
      + say("More commands:", de: "Weitere Befehle:") + "\n" + others.text(terminal) + "\n"
      + say(
        "'sous COMMAND --help' shows a command, 'sous help all' all commands with what they do.",
        de: "'sous BEFEHL --help' zeigt einen Befehl, 'sous help all' alle Befehle mit ihrer Beschreibung."
      ).fitted(to: terminal).joined(separator: "\n") + "\n"
  }
}
