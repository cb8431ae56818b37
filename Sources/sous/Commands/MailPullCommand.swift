import ArgumentParser
import Engine
import Expressions
import Localization
import PluginHost
import UseCases

/// `sous mail pull`: copies folders from one provider to another.
struct MailPullCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "pull",
      abstract: say(
        "Copy folders from one provider to another: a backup or a move.",
        de: "Ordner von einem Provider zu einem anderen kopieren: Sicherung oder Umzug."),
      discussion: say(
        """
        Flags and dates are kept. A second pull copies only what is new; one that was cut off resumes. Nothing is removed \
        on either side.
        """,
        de: """
          Markierungen und Daten bleiben erhalten. Ein zweiter Lauf kopiert nur Neues; ein abgebrochener setzt fort. Auf \
          keiner Seite wird etwas gelöscht.
          """))
  }

  @Argument(
    help: ArgumentHelp(
      say("The provider that has the messages.", de: "Der Provider, der die Nachrichten hat."), valueName: "provider"))
  var source: String

  @Argument(
    help: ArgumentHelp(
      say("Only these folders (default: all).", de: "Nur diese Ordner (Vorgabe: alle)."), valueName: "folder"))
  var folders: [String] = []

  @Option(
    help: ArgumentHelp(
      say("The provider that gets them.", de: "Der Provider, der sie bekommt."), valueName: "provider"))
  var to: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let pull = try MailPull(project, from: source, to: to, folders: folders)
    let isLive = Terminal().isInteractive && !format.json
    let outcome: Result<MailPull.Report, UseCaseError>
    outcome = try await Interruption.untilInterrupted {
      do throws(UseCaseError) {
        return .success(
          try await pull.run { progress in
            if isLive { write("\r\(progress.folder.singleLine)  \(progress.done)/\(progress.total)   ") }
          })
      } catch {
        return .failure(error)
      }
    }
    if isLive { write("\n") }
    await project.host.shutdown()
    switch outcome {
    case .success(let report): tell(report)
    case .failure(let error):
      if let failure = error.cause as? ActionFailure { throw CommandError(failure, provider: source) }
      throw error
    }
  }

  private func tell(_ report: MailPull.Report) {
    if format.json {
      writeJSON([
        "folders": .int(Int64(report.folders)), "copied": .int(Int64(report.copied)),
        "flagged": .int(Int64(report.flagged)), "unchanged": .int(Int64(report.unchanged)),
      ])
      return
    }
    let folders = LocalizedText.count(report.folders, "folder", "folders", de: "Ordner", "Ordner").spoken
    write(
      say(
        "\(folders): \(report.copied) copied, \(report.flagged) with new flags, \(report.unchanged) unchanged\n",
        de:
          "\(folders): \(report.copied) kopiert, \(report.flagged) mit neuen Markierungen, \(report.unchanged) unverändert\n"
      ))
  }
}
