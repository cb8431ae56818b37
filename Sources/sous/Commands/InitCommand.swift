import ArgumentParser
import Catalog
import Expressions
import Localization
import Upkeep
import UseCases

/// `sous init`: writes a commented configuration and a first recipe.
struct InitCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "init",
      abstract: say(
        "Write a commented sous.yaml, a first recipe and prompts to change.",
        de: "Eine kommentierte sous.yaml, ein erstes Rezept und Prompts zum Ändern schreiben."))
  }

  @Argument(
    help: ArgumentHelp(say("The folder to write to.", de: "Der Ordner, in den geschrieben wird."), valueName: "folder"))
  var folder = "."

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let written = try ProjectStart.write(to: folder, language: Speech.language)
    let store = CatalogStore(project: folder, language: Speech.language)
    try TrustCommand.trustOwn(folder)
    let prompts = try cataloguing { () throws(CatalogError) in try store.begin() }.filter { $0.hasSuffix(".yaml") }
    if format.json {
      let all = written + prompts.map { store.folder + "/" + $0 }
      writeJSON(["written": .list(all.map { .string($0) })])
    } else {
      let recipe = written.last ?? "hello.yaml"
      write(
        say(
          "Wrote \(written.joined(separator: ", ")) and \(prompts.count) files with prompts in \(store.folder)/. Try: "
            + "sous run \(recipe), sous catalog\n",
          de: "Geschrieben: \(written.joined(separator: ", ")) und \(prompts.count) Dateien mit Prompts in "
            + "\(store.folder)/. Probieren: sous run \(recipe), sous catalog\n"))
    }
  }
}
