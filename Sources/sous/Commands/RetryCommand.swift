import ArgumentParser
import UseCases

/// `sous retry`: runs a recipe again with what an earlier run has done already.
struct RetryCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "retry",
      abstract: say(
        "Run again what did not succeed, with the results of what did.",
        de: "Noch einmal laufen lassen, was nicht gelang, mit den Ergebnissen des Gelungenen."))
  }

  @Argument(
    help: ArgumentHelp(say("The earlier run.", de: "Der frühere Lauf."), valueName: "run"), completion: Completions.runs
  )
  var run = "last"

  @Option(
    help: ArgumentHelp(
      say("Begin again with this step.", de: "Wieder mit diesem Schritt beginnen."), valueName: "step"),
    completion: Completions.steps)
  var from: String?

  @Flag(
    help: ArgumentHelp(
      say("Begin with what did not succeed; the default.", de: "Mit dem beginnen, was nicht gelang; die Vorgabe.")))
  var failed = false

  @Flag(
    help: ArgumentHelp(
      say(
        "With --from: send a message again that was sent, or may have been.",
        de: "Mit --from: eine Nachricht noch einmal senden, die gesendet ist oder es sein kann.")))
  var force = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if failed, from != nil {
      throw ValidationError(
        say(
          "--from begins with a step whether it succeeded or not: leave --failed out",
          de: "--from beginnt mit einem Schritt, ob er gelang oder nicht: --failed weglassen"))
    }
  }

  func run() async throws {
    let (name, step, isForced): (String, String?, Bool) = (run, from, force)
    try await Foreground.goOn(global, format) { try await $0.retry(name, from: step, isForced: isForced) }
  }
}

/// `sous replay`: runs a recipe again with recorded results in the place of everything that reaches outside.
struct ReplayCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "replay",
      abstract: say(
        "Run again with recorded results: nothing outside is read or changed.",
        de: "Noch einmal laufen lassen mit aufgezeichneten Ergebnissen: aussen wird nichts gelesen oder geändert."))
  }

  @Argument(
    help: ArgumentHelp(say("The earlier run.", de: "Der frühere Lauf."), valueName: "run"), completion: Completions.runs
  )
  var run = "last"

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name: String = run
    try await Foreground.goOn(global, format) { try await $0.replay(name) }
  }
}
