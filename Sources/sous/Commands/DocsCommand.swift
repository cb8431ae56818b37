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
        "Print a page of documentation or a section of it, or list the pages.",
        de: "Eine Seite der Dokumentation oder einen Abschnitt ausgeben oder die Seiten auflisten."),
      discussion: say(
        "Prints the page of that name, else the section whose heading has the word. If several sections fit, it lists them. If "
          + "no heading has the word, it lists the pages that have it in their text. German words for pages are known too.",
        de:
          "Gibt die Seite dieses Namens aus, sonst den Abschnitt, dessen Überschrift das Wort enthält. Passen mehrere Abschnitte, "
          + "werden sie aufgelistet. Hat keine Überschrift das Wort, werden die Seiten aufgelistet, die es im Text haben. Auch "
          + "deutsche Wörter wie 'sicherheit' und 'rechte' führen zu ihrer Seite, die es zum Teil nur auf Englisch gibt."
      ))
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
    guard let word else { return list(all) }
    switch answer(to: word, all) {
    case .page(let page): show(page)
    case .section(let section): show(section)
    case .sections(let sections): list(sections)
    case .pages(let pages):
      guard !pages.isEmpty else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText(
            "no page has the word '\(word)'; all pages: sous docs",
            de: "keine Seite hat das Wort '\(word)'; alle Seiten: sous docs"))
      }
      list(pages)
    }
  }

  /// The answer in the reader's language; if its pages do not have the word, the answer of the English pages.
  private func answer(to word: String, _ pages: [Manual.Page]) -> Manual.Answer {
    let answer = Manual.answer(to: word, among: pages)
    guard answer == .pages([]), Speech.language == .german else { return answer }
    return Manual.answer(to: word, among: Manual.pages(isGerman: false))
  }

  private func show(_ page: Manual.Page) {
    if open, Browser.open(page.path) { return write(page.path + "\n") }
    if format.json {
      writeJSON([
        "name": .string(page.name), "title": .string(page.title), "path": .string(page.path),
        "text": .string(page.text),
      ])
    } else {
      sayLanguage(of: page)
      show(page.text)
    }
  }

  /// Reports to readers of German that a page exists in English only. On standard error: a pipe gets the page alone.
  private func sayLanguage(of page: Manual.Page) {
    guard Speech.language == .german, !page.isGerman else { return }
    writeError(say("This page exists in English only.\n", de: "Diese Seite gibt es nur auf Englisch.\n"))
  }

  private func show(_ section: Manual.Section) {
    let page = section.page
    if open, Browser.open(page.path) { return write(page.path + "\n") }
    if format.json {
      return writeJSON([
        "name": .string(page.name), "title": .string(page.title), "section": .string(section.heading),
        "path": .string(page.path), "text": .string(section.text),
      ])
    }
    sayLanguage(of: page)
    let command = "sous docs \(page.name)"
    write(say("From the page '\(page.title)': \(command)", de: "Aus der Seite '\(page.title)': \(command)") + "\n\n")
    show(section.text)
  }

  /// Prints Markdown: for a terminal its text, into a pipe or a file as it is.
  private func show(_ markdown: String) {
    writeVerbatim(isatty(STDOUT_FILENO) == 1 ? MarkdownPage(markdown, terminal: Terminal()).text : markdown)
  }

  private func list(_ pages: [Manual.Page]) {
    if format.json { return writeJSON(.list(pages.map(Self.json))) }
    for (title, isTask) in [(say("Tasks", de: "Aufgaben"), true), (say("Reference", de: "Nachschlagen"), false)] {
      let group = pages.filter { $0.isTask == isTask }
      guard !group.isEmpty else { continue }
      var table = TextTable()
      for page in group {
        let title = Speech.language == .german ? Manual.germanTitle(of: page) : page.title
        table.append(["  " + page.name, title])
      }
      write(title + "\n" + table.lines().map { $0 + "\n" }.joined() + "\n")
    }
    write(say("A page: sous docs NAME\n", de: "Eine Seite: sous docs NAME\n"))
  }

  private func list(_ sections: [Manual.Section]) {
    if format.json {
      return writeJSON(
        .list(
          sections.map {
            [
              "name": .string($0.page.name), "title": .string($0.page.title), "section": .string($0.heading),
              "path": .string($0.page.path),
            ]
          }))
    }
    var table = TextTable()
    for section in sections { table.append([section.page.name, section.heading]) }
    write(table.lines().map { $0 + "\n" }.joined())
    write(
      say(
        "\nA page: sous docs NAME; a section: its heading, as in sous docs '\(sections.last?.heading ?? "")'\n",
        de:
          "\nEine Seite: sous docs NAME; ein Abschnitt: seine Überschrift, etwa sous docs '\(sections.last?.heading ?? "")'\n"
      ))
  }

  private static func json(_ page: Manual.Page) -> Value {
    [
      "name": .string(page.name), "title": .string(page.title), "path": .string(page.path), "task": .bool(page.isTask),
    ]
  }
}
