import ArgumentParser
import Expressions
import Localization
import UseCases

/// `sous init`: writes a commented configuration and a first recipe.
struct InitCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "init",
      abstract: say(
        "Write a commented sous.yaml and a first recipe.",
        de: "Eine kommentierte sous.yaml und ein erstes Rezept schreiben."))
  }

  @Argument(
    help: ArgumentHelp(say("The folder to write to.", de: "Der Ordner, in den geschrieben wird."), valueName: "folder"))
  var folder = "."

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let written = try ProjectStart.write(to: folder)
    if format.json {
      writeJSON(["written": .list(written.map { .string($0) })])
    } else {
      let recipe = written.last ?? "hello.yaml"
      write(
        say(
          "Wrote \(written.joined(separator: ", ")). Try: sous run \(recipe)\n",
          de: "Geschrieben: \(written.joined(separator: ", ")). Probieren: sous run \(recipe)\n"))
    }
  }
}
