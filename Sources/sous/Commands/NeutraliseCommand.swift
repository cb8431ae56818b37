import ArgumentParser
import Builtins
import Expressions
import Foundation
import Localization
import Neutralisation
import Plans
import RecipeModel
import RecipeSyntax
import UseCases

/// `sous neutralise`: replaces personal data in texts by placeholders.
struct NeutraliseCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "neutralise",
      abstract: say(
        "Replace personal data in texts by placeholders.", de: "Personendaten in Texten durch Platzhalter ersetzen."),
      discussion: say(
        "The originals go sealed into the file of --mapping; 'sous resolve' puts them back.",
        de: "Die Originale kommen versiegelt in die Datei von --mapping; 'sous resolve' setzt sie wieder ein."),
      aliases: ["neutralize"])
  }

  @Argument(
    help: ArgumentHelp(
      say("The texts; - for standard input.", de: "Die Texte; - für die Standardeingabe."), valueName: "file"))
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "Where the originals are kept, sealed; a file that is there is continued.",
        de: "Wo die Originale versiegelt bleiben; eine Datei, die es gibt, wird fortgesetzt."), valueName: "file"))
  var mapping: String?

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      say("Write each neutral text into this folder.", de: "Jeden neutralen Text in diesen Ordner schreiben."),
      valueName: "folder"))
  var folder: String?

  @Option(
    help: ArgumentHelp(
      say(
        "How the texts are written: auto, text, markdown, html, mail, csv.",
        de: "Wie die Texte geschrieben sind: auto, text, markdown, html, mail, csv."), valueName: "name"))
  var format = "auto"

  @Option(
    name: .customLong("only"),
    help: ArgumentHelp(
      say("Replace this kind only; may be given again.", de: "Nur diese Art ersetzen; mehrfach möglich."),
      valueName: "kind"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "A regular expression (RE2) to replace; may be given again.",
        de: "Ein regulärer Ausdruck (RE2); mehrfach möglich."),
      valueName: "regex"))
  var pattern: [String] = []

  @Option(
    help: ArgumentHelp(
      say("A word or phrase to replace; may be given again.", de: "Ein Wort oder eine Wendung; mehrfach möglich."),
      valueName: "text"))
  var word: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "A text that is kept although it is found; may be repeated.",
        de: "Was bleibt, obwohl es gefunden wird; mehrfach möglich."),
      valueName: "text"))
  var keep: [String] = []

  @Flag(
    help: ArgumentHelp(say("Tell what was replaced, on standard error.", de: "Auf stderr sagen, was ersetzt wurde.")))
  var stats = false

  @Flag(help: ArgumentHelp(say("List the kinds of personal data.", de: "Die Arten von Personendaten auflisten.")))
  var kinds = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    if kinds { return listKinds() }
    guard let format = TextFormat(rawValue: format) else { throw TextFiles.unknownFormat(format) }
    let names = PersonalDataKind.choices.map(\.rawValue)
    if let kind = only.first(where: { !names.contains($0) }) {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("unknown kind '\(kind)'", de: "unbekannte Art '\(kind)'")
          + Suggestion.text(for: kind, among: names)
          + LocalizedText("; --kinds lists them", de: "; --kinds listet sie auf"))
    }
    let texts = try TextFiles(files, folder: folder)
    let project = try Project(try Workspace(global))
    var earlier: String?
    if let mapping {
      if FileManager.default.fileExists(atPath: mapping) { earlier = try TextFiles.mapping(mapping) }
      if let made = try project.makeSealsLast() {
        writeError(
          say(
            "made a vault, locked with the key file \(made)\n",
            de: "Tresor angelegt, verschlossen mit der Schlüsseldatei \(made)\n"))
      }
    }
    var settings = ConfiguredNeutralisation()
    settings.kinds = only.isEmpty ? nil : only
    (settings.patterns, settings.words, settings.keep) = (pattern, word, keep)
    let neutral = try project.neutralise(texts.texts, format: format, settings, continuing: earlier)
    // The mapping first: a neutral text without one is of little use.
    if let mapping {
      try OutputFile.write(neutral.mapping + "\n", to: mapping, in: project.workspace)
    }
    if let warning = neutral.warning {
      writeError(Terminal(descriptor: 2).styled(say("warning: ", de: "Warnung: "), .yellow) + warning.spoken + "\n")
    }
    try texts.write(neutral.texts.map(\.text), isJSON: output.json, in: project.workspace)
    var sum: [PersonalDataKind: Int] = [:]
    for text in neutral.texts { sum.merge(text.statistics, uniquingKeysWith: +) }
    if output.json { return writeJSON(json(texts, neutral, sum)) }
    guard stats else { return }
    for kind in PersonalDataKind.allCases {
      guard let count = sum[kind] else { continue }
      writeError("\(kind.rawValue)\t\(count)\t\(kind.summary.spoken)\n")
    }
  }

  private func json(_ texts: TextFiles, _ neutral: NeutralTextSet, _ sum: [PersonalDataKind: Int]) -> Value {
    let files = zip(texts.names, neutral.texts).map { name, text in
      var map: ValueMap = ["file": .string(name), "statistics": .map(.init(statistics: text.statistics))]
      if folder == nil { map["text"] = .string(text.text) }
      return Value.map(map)
    }
    return [
      "files": .list(files), "statistics": .map(.init(statistics: sum)),
      "values": .map(.init(statistics: neutral.counts)),
    ]
  }

  private func listKinds() {
    if output.json {
      return writeJSON(
        [
          "kinds": .list(
            PersonalDataKind.choices.map { kind in
              [
                "kind": .string(kind.rawValue), "placeholder": .string("[\(kind.word)_1]"),
                "summary": .string(kind.summary.spoken),
              ]
            })
        ])
    }
    for kind in PersonalDataKind.choices {
      write("\(kind.rawValue)\t[\(kind.word)_1]\t\(kind.summary.spoken)\n")
    }
  }
}
