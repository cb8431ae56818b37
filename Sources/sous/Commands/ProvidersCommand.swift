import ArgumentParser
import Engine
import Expressions
import Localization
import PluginHost
import Recipes
import UseCases

/// `sous providers`: what sous.yaml configures.
struct ProvidersCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "providers",
      abstract: say(
        "List the configured providers and try them out.", de: "Konfigurierte Provider auflisten und probieren."),
      subcommands: [ProvidersListCommand.self, ProvidersTestCommand.self, ProvidersImportCommand.self],
      defaultSubcommand: ProvidersListCommand.self)
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
    var rows: [(name: String, contracts: [String], problem: String?)] = []
    for name in project.providers.names {
      do {
        rows.append((name, try project.providers.describe(name).contracts, nil))
      } catch {
        rows.append((name, [], error.message.spoken))
      }
    }
    if format.json {
      writeJSON(
        .list(
          rows.map { row in
            [
              "name": .string(row.name), "contracts": .list(row.contracts.map { .string($0) }),
              "problem": row.problem.map { .string($0) } ?? .null,
            ]
          }))
    } else {
      let terminal = Terminal()
      var table = TextTable()
      for row in rows {
        let mark = row.problem == nil ? terminal.styled("✓", .green) : terminal.styled("✗", .red)
        table.append(["\(mark) \(row.name)", row.problem ?? row.contracts.joined(separator: ", ")])
      }
      let text = table.lines().joined(separator: "\n")
      write(rows.isEmpty ? say("sous.yaml names no provider\n", de: "sous.yaml nennt keinen Provider\n") : text + "\n")
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

  @Argument(help: ArgumentHelp(say("The provider's name.", de: "Der Name des Providers."), valueName: "provider"))
  var provider: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let outcome: Result<ProviderTest, UseCaseError>
    outcome = try await Interruption.untilInterrupted {
      do throws(UseCaseError) {
        return .success(try await project.test(provider, timeout: Self.timeout))
      } catch {
        return .failure(error)
      }
    }
    await project.host.shutdown()
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
}
