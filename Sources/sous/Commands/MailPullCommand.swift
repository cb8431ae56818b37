import ArgumentParser
import Engine
import Expressions
import Localization
import MailTransfer
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
        Flags, labels and dates are kept. A second pull copies only what is new and takes changed flags over; one that was \
        cut off resumes. Nothing is removed on either side, and what you remove from the target stays away; --missing \
        copies it again.
        """,
        de: """
          Markierungen, Labels und Daten bleiben erhalten. Ein zweiter Lauf kopiert nur Neues und übernimmt geänderte \
          Markierungen; ein abgebrochener setzt fort. Auf keiner Seite wird etwas gelöscht, und was im Ziel gelöscht \
          wurde, bleibt fort; --missing kopiert es noch einmal.
          """))
  }

  @Argument(
    help: ArgumentHelp(
      say("The provider that has the messages.", de: "Der Provider, der die Nachrichten hat."), valueName: "provider"),
    completion: Completions.providers)
  var source: String

  @Argument(
    help: ArgumentHelp(
      say("Only these folders (default: all).", de: "Nur diese Ordner (Vorgabe: alle)."), valueName: "folder"))
  var folders: [String] = []

  @Option(
    help: ArgumentHelp(
      say("The provider that gets them.", de: "Der Provider, der sie bekommt."), valueName: "provider"),
    completion: Completions.providers)
  var to: String

  @Flag(
    name: .customLong("missing"),
    help: ArgumentHelp(
      say("Copy again what was removed from the target.", de: "Auch kopieren, was im Ziel gelöscht wurde.")))
  var isRestoring = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let pull = try MailPull(project, from: source, to: to, folders: folders, restoring: isRestoring)
    let isLive = Terminal().isInteractive && !format.json
    let outcome: Result<MailPullReport, UseCaseError>
    outcome = try await Interruption.untilInterrupted {
      do throws(UseCaseError) {
        return .success(
          try await pull.run { progress in
            if progress.isWaiting {
              if isLive { write("\n") }
              writeError(
                say(
                  "\(progress.folder.singleLine): waiting for the server to take what an interrupted pull has sent\n",
                  de:
                    "\(progress.folder.singleLine): es wird gewartet, bis der Server übernommen hat, was ein unterbrochenes Kopieren geschickt hat\n"
                ))
            } else if isLive {
              let text = "\(progress.folder.singleLine)  \(progress.done)/\(progress.total)   "
              writeProgress(text.cut(to: Terminal().width - 1))
            }
          })
      } catch {
        return .failure(error)
      }
    }
    if isLive { write("\n") }
    await project.host.shutdown()
    switch outcome {
    case .success(let report):
      tell(report)
      if report.refused > 0 || !report.failures.isEmpty { throw CommandError(ExitStatus.runFailed) }
    case .failure(let error):
      let kind = (error.cause as? TransferFailure)?.failure.kind.rawValue ?? error.code.rawValue
      if ["cancelled", "interrupted"].contains(kind) {
        throw CommandError(
          ExitStatus.interrupted,
          LocalizedText(
            "interrupted; the next 'sous mail pull' resumes",
            de: "unterbrochen; das nächste 'sous mail pull' macht weiter"
          ))
      }
      if let cause = error.cause as? TransferFailure { throw CommandError(cause.failure, provider: cause.provider) }
      throw error
    }
  }

  private func tell(_ report: MailPullReport) {
    if format.json { return writeJSON(json(report)) }
    let folders = LocalizedText.count(report.folders, "folder", "folders", de: "Ordner", "Ordner").spoken
    var parts = [
      say("\(report.copied) copied", de: "\(report.copied) kopiert"),
      say("\(report.flagged) with new flags", de: "\(report.flagged) mit neuen Markierungen"),
      say("\(report.unchanged) unchanged", de: "\(report.unchanged) unverändert"),
    ]
    if report.recognized > 0 {
      parts.append(say("\(report.recognized) found in place", de: "\(report.recognized) schon vorhanden"))
    }
    if report.removed > 0 {
      parts.append(say("\(report.removed) removed from the target", de: "\(report.removed) im Ziel gelöscht"))
    }
    if report.vanished > 0 {
      parts.append(say("\(report.vanished) gone meanwhile", de: "\(report.vanished) inzwischen fort"))
    }
    if report.refused > 0 { parts.append(say("\(report.refused) refused", de: "\(report.refused) abgelehnt")) }
    write("\(folders): \(parts.joined(separator: ", "))\n")
    if report.removed > 0 {
      write(
        say(
          "  To copy again what was removed: --missing\n", de: "  Um Gelöschtes noch einmal zu kopieren: --missing\n"))
    }
    for failure in report.failures {
      let (folder, reason) = (failure.folder.singleLine, failure.reason.spoken.singleLine)
      writeError(
        say(
          "  folder '\(folder)' is not copied completely: \(failure.provider): \(reason)\n",
          de: "  Ordner '\(folder)' ist nicht vollständig kopiert: \(failure.provider): \(reason)\n"))
    }
    for refusal in report.refusals.prefix(20) {
      writeError("  \(refusal.folder.singleLine) \(refusal.uid.singleLine): \(refusal.reason.spoken.singleLine)\n")
    }
  }

  private func json(_ report: MailPullReport) -> Value {
    let refusals = report.refusals.map { refusal -> Value in
      ["folder": .string(refusal.folder), "uid": .string(refusal.uid), "reason": .string(refusal.reason.spoken)]
    }
    let failures = report.failures.map { failure -> Value in
      [
        "folder": .string(failure.folder), "provider": .string(failure.provider),
        "reason": .string(failure.reason.spoken),
      ]
    }
    return [
      "folders": .int(Int64(report.folders)), "copied": .int(Int64(report.copied)),
      "flagged": .int(Int64(report.flagged)), "unchanged": .int(Int64(report.unchanged)),
      "recognized": .int(Int64(report.recognized)), "removed": .int(Int64(report.removed)),
      "vanished": .int(Int64(report.vanished)), "refused": .int(Int64(report.refused)), "refusals": .list(refusals),
      "failures": .list(failures),
    ]
  }
}
