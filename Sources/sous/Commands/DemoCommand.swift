import ArgumentParser
import Expressions
import Foundation
import Localization
import PluginHost
import Upkeep
import UseCases

/// `sous demo`: a digest of example mail, in a folder to go on with.
struct DemoCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "demo",
      abstract: say("Try Sous on example mail.", de: "Sous an Beispielmails ausprobieren."),
      discussion: say(
        """
        Writes a folder with 50 example messages, a configuration and a recipe, makes a digest of the unread mail, and names \
        what to try next. If Ollama answers on this machine, its model summarises the newest messages.
        """,
        de: """
          Schreibt einen Ordner mit 50 Beispielmails, einer Konfiguration und einem Rezept, fasst die ungelesenen Mails \
          zusammen und nennt, was sich als Nächstes lohnt. Antwortet Ollama auf diesem Rechner, so fasst dessen Modell die \
          neuesten Mails zusammen.
          """))
  }

  /// Seconds that a model of this machine has to answer that it is there.
  private static let timeout = 3.0
  /// Messages that a model summarises: more take longer than a minute on a machine without a graphics card.
  private static let messagesForModel = 5

  @Argument(
    help: ArgumentHelp(
      say("The folder to write to.", de: "Der Ordner, in den geschrieben wird."), valueName: "folder"),
    completion: .directory)
  var folder = "sous-demo"

  @Flag(help: ArgumentHelp(say("Use no language model.", de: "Kein Sprachmodell verwenden.")))
  var noModel = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var language: LanguageOptions

  func run() async throws {
    var model: String?
    if !ExampleProject.isThere(folder) {
      try ExampleProject.write(to: folder, language: Speech.language)
      try TrustCommand.trustOwn(folder)
      if !noModel { model = await Self.model(in: folder) }
      try ExampleProject.choose(model: model, in: folder, language: Speech.language)
      try TrustCommand.trustOwn(folder)
    }
    guard FileManager.default.changeCurrentDirectoryPath(folder) else {
      throw CommandError(
        ExitStatus.environment,
        LocalizedText("\(folder) cannot be entered", de: "in \(folder) lässt sich nicht wechseln"))
    }
    var arguments = [ExampleProject.recipe, "--config", "sous.yaml", "--state", ".sous"]
    if format.json { arguments.append("--json") }
    if model != nil { arguments += ["-i", "limit=\(Self.messagesForModel)"] }
    try await RunCommand.parse(arguments).run()
    if !format.json { write(next(model)) }
  }

  /// The first model of Ollama that can chat; `nil` if it does not answer.
  private static func model(in folder: String) async -> String? {
    guard let project = try? Project(Workspace(configuration: folder + "/sous.yaml", .ofProcess)) else { return nil }
    let listing = await project.models(of: ["local"], timeout: timeout).first
    _ = await project.host.shutdown()
    guard case .success(let models) = listing?.models else { return nil }
    return models.compactMap { $0["id"]?.stringValue }.first { !$0.contains("embed") }
  }

  private func next(_ model: String?) -> String {
    let summaries =
      model.map {
        say(
          "The model \($0) summarised the newest \(Self.messagesForModel) messages.",
          de: "Das Modell \($0) hat die neuesten \(Self.messagesForModel) Mails zusammengefasst.")
      }
      ?? say(
        "The summaries are sentences of the messages. With a language model they are better: sous docs models",
        de: "Die Zusammenfassungen sind Sätze aus den Mails. Mit einem Sprachmodell werden sie besser: sous docs models"
      )
    return "\n" + summaries + "\n\n"
      + say(
        """
        Next:
          cd \(folder)
          sous show last                           every step of the run and what it did
          sous explain recipes/inbox-digest.yaml   what the recipe does, before it runs
          sous doctor                              what works on this machine
          sous recipes new --template invoices     another recipe to begin from
          sous docs getting-started                your own mailbox

        """,
        de: """
          Weiter:
            cd \(folder)
            sous show last                           jeder Schritt des Laufs und was er tat
            sous explain recipes/inbox-digest.yaml   was das Rezept tut, bevor es läuft
            sous doctor                              was auf diesem Rechner funktioniert
            sous recipes new --template invoices     ein weiteres Rezept zum Anfangen
            sous docs getting-started                das eigene Postfach

          """)
  }
}
