import ArgumentParser
import UseCases

/// `sous resume`: resumes one run.
struct ResumeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "resume",
      abstract: say(
        "Go on with a run that was interrupted, waits or needs attention.",
        de: "Mit einem Lauf weitermachen, der unterbrochen wurde, wartet oder Aufmerksamkeit braucht."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The run, a unique beginning of its name, its recipe for the newest run, or 'last'.",
        de: "Der Lauf, ein eindeutiger Anfang seines Namens, sein Rezept für den neuesten Lauf, oder 'last'."),
      valueName: "run"), completion: Completions.runs)
  var run = "last"

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name: String = run
    try await Foreground.goOn(global, format) { try await $0.resume(name) }
  }
}
