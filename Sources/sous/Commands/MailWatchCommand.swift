import ArgumentParser
import Engine
import Expressions
import Localization
import PluginHost
import UseCases

/// `sous mail watch`: new messages as they come.
struct MailWatchCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "watch",
      abstract: say("Show new messages as they come.", de: "Neue Nachrichten zeigen, sobald sie kommen."),
      discussion: say(
        "Goes on where the last watch of the folder ended, also after a crash. Ctrl-C ends it.",
        de: "Setzt dort fort, wo zuletzt aufgehört wurde, auch nach einem Absturz. Strg-C beendet es."))
  }

  @Argument(
    help: ArgumentHelp(say("The provider's name.", de: "Der Name des Providers."), valueName: "provider"),
    completion: Completions.providers)
  var provider: String

  @Argument(help: ArgumentHelp(say("The folder.", de: "Der Ordner."), valueName: "folder"))
  var folder = "INBOX"

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let (isJSON, provider, folder) = (format.json, provider, folder)
    do {
      try await Interruption.untilInterrupted {
        try await project.watchMail(provider, folder: folder) {
          guard !isJSON else { return }
          writeError(
            say(
              "watching \(folder) of \(provider); Ctrl-C ends it\n",
              de: "\(folder) von \(provider) wird beobachtet; Strg-C beendet es\n"))
        } _: { event in
          if isJSON { writeJSON(event, pretty: false) } else { write(Self.line(event) + "\n") }
          if StandardOutput.isClosed { throw CancellationError() }
        }
      }
    } catch let error as UseCaseError where error.code == .interrupted {
      await project.host.shutdown()
      return
    } catch let error as UseCaseError {
      await project.host.shutdown()
      if let failure = error.cause as? ActionFailure { throw CommandError(failure, provider: provider) }
      throw error
    }
    await project.host.shutdown()
  }

  /// `2026-11-23 07:00  Ada <ada@example.com>  Subject`
  private static func line(_ event: Value) -> String {
    let message = event["message"] ?? .null
    func text(_ value: Value?) -> String {
      if case .string(let text)? = value { return text }
      return ""
    }
    let sender = message["from"]
    let name = text(sender?["name"])
    let address = text(sender?["address"])
    let parts = [text(message["date"]), name.isEmpty ? address : "\(name) <\(address)>", text(message["subject"])]
    return parts.joined(separator: "  ").singleLine
  }
}
