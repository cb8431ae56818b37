import ArgumentParser
import Expressions
import Foundation
import Localization
import Upkeep
import UseCases

/// `sous docs`: the pages of documentation.
struct DocsCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "docs",
      abstract: say(
        "Print a page of documentation, or list the pages.",
        de: "Eine Seite der Dokumentation ausgeben, oder die Seiten auflisten."),
      discussion: say(
        "Prints the page of that name. If no page has the name, the pages with the word in a heading or in the text are listed.",
        de:
          "Gibt die Seite dieses Namens aus. Heißt keine Seite so, werden die Seiten aufgelistet, die das Wort in einer "
          + "Überschrift oder im Text haben."))
  }

  @Argument(
    help: ArgumentHelp(say("A page or a word.", de: "Eine Seite oder ein Wort."), valueName: "word"),
    completion: Completions.pages)
  var word: String?

  @Flag(
    help: ArgumentHelp(
      say(
        "Open the page in the program that the desktop uses for it.",
        de: "Die Seite im Programm öffnen, das der Desktop dafür verwendet.")))
  var open = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let all = Manual.pages(isGerman: Speech.language == .german)
    guard !all.isEmpty else {
      throw CommandError(
        ExitStatus.environment,
        LocalizedText(
          "no documentation is installed: it belongs to share/sous/doc beside the folder of the program",
          de: "es ist keine Dokumentation installiert: sie gehört nach share/sous/doc neben dem Ordner des Programms"))
    }
    let pages = word.map { Manual.pages(for: $0, among: all) } ?? all
    guard let first = pages.first else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "no page has the word '\(word ?? "")'; all pages: sous docs",
          de: "keine Seite hat das Wort '\(word ?? "")'; alle Seiten: sous docs"))
    }
    if word != nil, pages.count == 1 { return show(first) }
    if format.json { return writeJSON(.list(pages.map(Self.json))) }
    var table = TextTable()
    for page in pages { table.append([page.name, page.title]) }
    write(table.lines().map { $0 + "\n" }.joined())
    write(say("\nA page: sous docs NAME\n", de: "\nEine Seite: sous docs NAME\n"))
  }

  private func show(_ page: Manual.Page) {
    if open, Browser.open(page.path) { return write(page.path + "\n") }
    if format.json {
      writeJSON([
        "name": .string(page.name), "title": .string(page.title), "path": .string(page.path),
        "text": .string(page.text),
      ])
    } else {
      write(page.text)
    }
  }

  private static func json(_ page: Manual.Page) -> Value {
    ["name": .string(page.name), "title": .string(page.title), "path": .string(page.path)]
  }
}
