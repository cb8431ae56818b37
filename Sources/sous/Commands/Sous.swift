import ArgumentParser
import Expressions
import Foundation
import Localization
import RecipeSyntax
import RunStore
import Schedules
import UseCases

/// The command line of Sous.
struct Sous: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sous",
      abstract: say(
        "Runs declarative recipes with native provider plugins and keeps a durable run log.",
        de: "Führt deklarative Rezepte mit nativen Provider-Plugins aus und führt ein dauerhaftes Laufprotokoll."),
      version: "sous \(Version.current)",
      subcommands: FirstPage.former, groupedSubcommands: FirstPage.groups)
  }

  @OptionGroup var language: LanguageOptions
}

extension Sous {
  /// Reads the command line, runs the command, and ends the process with its exit status.
  static func start() async -> Never {
    ExitGuard.begin()
    let arguments = Array(CommandLine.arguments.dropFirst())
    ExitGuard.watch(arguments)
    if FirstPage.isWanted(arguments) {
      write(FirstPage.text())
      finish(ExitStatus.success)
    }
    if FirstPage.isAllWanted(arguments) {
      write(HelpTexts.wrapped(HelpTexts.localized(helpMessage(columns: Terminal().width)), to: Terminal().width) + "\n")
      finish(ExitStatus.success)
    }
    let upgrade = UpgradeProgress()
    UpgradeStep.observe { upgrade.show($0) }
    do {
      var command = try await parse(arguments)
      // An unknown TZ would be UTC without a word.
      if getenv("TZ") != nil { try checkZone() }
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      finish(ExitStatus.success)
    } catch let error as UseCaseError {
      end(with: CommandError(error))
    } catch let error as CommandError {
      end(with: error)
    } catch {
      let status = exitCode(for: error)
      let text = HelpTexts.localized(fullMessage(for: error))
      if status == .success {
        // But for its usage, help has the width of the terminal already, and a script for completions is code.
        let isHelp =
          text.hasPrefix("OVERVIEW:") || text.hasPrefix("ÜBERSICHT:") || text.hasPrefix("USAGE:")
          || text.hasPrefix("AUFRUF:")
        writeVerbatim((isHelp ? HelpTexts.wrapped(text, to: Terminal().width) : text) + "\n")
        finish(ExitStatus.success)
      }
      let code = status == .validationFailure ? ExitStatus.wrongInput : ExitStatus.environment
      if FormatOptions.isJSONWanted {
        tell(CommandError(code, LocalizedText(verbatim: HelpTexts.localized(message(for: error)))))
      } else {
        writeError(HelpTexts.wrapped(text, to: Terminal(descriptor: 2).width) + "\n")
      }
      finish(code)
    }
  }
}

extension Sous {
  private static func checkZone() throws(CommandError) {
    do throws(ScheduleError) {
      try Zone.system()
    } catch {
      throw CommandError(ExitStatus.environment, error.text, code: error.code.rawValue)
    }
  }

  /// Reads the command line.
  ///
  /// - Throws: A `CommandError` that names the command that was probably meant if a command of that name does not exist;
  ///   otherwise the parser's error.
  private static func parse(_ arguments: [String]) async throws -> any ParsableCommand {
    do {
      return try await asyncParseAsRoot(ChatCommand.withConversationNumber(withTrustBehind(arguments)))
    } catch {
      let known = configuration.subcommands.flatMap { command -> [String] in
        let configuration = command.configuration
        return (configuration.commandName.map { [$0] } ?? []) + configuration.aliases
      }
      // A call of the shell's completion, and the request for its script, are the parser's own.
      let isOfShell = arguments.contains { $0.hasPrefix("--generate-completion-script") || $0 == "---completion" }
      guard let name = CommandPurpose.command(in: arguments), name != "help", !isOfShell, !known.contains(name) else {
        throw error
      }
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("unknown command '\(name)'", de: "unbekannter Befehl '\(name)'")
          + Suggestion.text(for: name, among: known)
          + LocalizedText(" (sous --help)", de: " (sous --help)"))
    }
  }

  /// The arguments with `--trust-workspace` behind the command, which may be written before it too.
  private static func withTrustBehind(_ arguments: [String]) -> [String] {
    let option = "--trust-workspace"
    guard arguments.first == option, arguments.count > 1 else { return arguments }
    var rest = Array(arguments.dropFirst())
    rest.insert(option, at: rest.firstIndex(of: "--") ?? rest.endIndex)
    return rest
  }

  /// Ends the process with an error, which is printed unless that has been done.
  private static func end(with error: CommandError) -> Never {
    if error.message != nil { tell(error) }
    finish(error.status)
  }

  /// Prints an error on standard error: as a line of JSON where `--json` was asked for.
  private static func tell(_ error: CommandError) {
    if FormatOptions.isJSONWanted {
      writeErrorJSON(error.json)
    } else {
      let label = Terminal(descriptor: 2).styled(say("error: ", de: "Fehler: "), .red)
      writeError(label + (error.message?.spoken ?? error.code) + "\n")
    }
  }

  /// Ends the process; a failure to write standard output is reported, and success becomes failure.
  private static func finish(_ status: Int32) -> Never {
    ExitGuard.expect()
    if let problem = StandardOutput.problem {
      tell(
        CommandError(
          ExitStatus.environment,
          LocalizedText("the output cannot be written: ", de: "die Ausgabe lässt sich nicht schreiben: ") + problem,
          code: "output"))
      Foundation.exit(status == ExitStatus.success ? ExitStatus.environment : status)
    }
    Foundation.exit(status)
  }
}
