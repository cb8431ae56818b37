import ArgumentParser
import Expressions
import Foundation
import Localization
import Neutralisation
import RecipeModel
import RecipeSyntax
import Schemas
import UseCases

/// `sous resolve`: puts originals back in the place of placeholders.
struct ResolveCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "resolve",
      abstract: say(
        "Put originals back in the place of placeholders.", de: "Für Platzhalter wieder die Originale einsetzen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The texts; - for standard input.", de: "Die Texte; - für die Standardeingabe."), valueName: "file"))
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      say("The file with the sealed originals.", de: "Die Datei mit den versiegelten Originalen."), valueName: "file"))
  var mapping: String

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      say("Write each text into this folder.", de: "Jeden Text in diesen Ordner schreiben."), valueName: "folder"))
  var folder: String?

  @Option(
    help: ArgumentHelp(
      say("html: write originals as text of HTML.", de: "html: Originale als Text von HTML schreiben."),
      valueName: "name"))
  var format = "text"

  @Flag(
    help: ArgumentHelp(say("Tell on standard error what was put back.", de: "Auf stderr sagen, was eingesetzt wurde.")))
  var stats = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    guard let format = TextFormat(rawValue: format) else { throw TextFiles.unknownFormat(format) }
    let texts = try TextFiles(files, folder: folder)
    let project = try Project(try Workspace(global))
    let resolved = try project.resolve(texts.texts, format: format, mapping: try TextFiles.mapping(mapping))
    try texts.write(resolved.map(\.text), isJSON: output.json, in: project.workspace)
    let unknown = resolved.flatMap(\.unknown)
    if output.json {
      let files = zip(texts.names, resolved).map { name, text in
        var map: ValueMap = [
          "file": .string(name), "count": .int(Int64(text.count)), "unknown": .list(text.unknown.map { .string($0) }),
        ]
        if folder == nil { map["text"] = .string(text.text) }
        return Value.map(map)
      }
      return writeJSON(["files": .list(files)])
    }
    if !unknown.isEmpty {
      let names = unknown.prefix(10).joined(separator: ", ")
      writeError(say("no original is known for \(names)\n", de: "kein Original bekannt für \(names)\n"))
    }
    if stats {
      let count = resolved.reduce(0) { $0 + $1.count }
      writeError(say("\(count) placeholders replaced\n", de: "\(count) Platzhalter ersetzt\n"))
    }
  }
}

/// The texts that a command works on, and where they go.
struct TextFiles {
  /// The most bytes of one text.
  private static let mostBytes = 64 << 20

  /// The files, as they were named.
  let names: [String]
  /// Their texts.
  let texts: [String]
  private let folder: String?

  /// Reads the files, or standard input if none is named.
  init(_ files: [String], folder: String?) throws(CommandError) {
    names = files.isEmpty ? ["-"] : files
    self.folder = folder
    var texts: [String] = []
    for name in names { texts.append(try Self.text(name)) }
    self.texts = texts
    guard let folder else { return }
    let last = names.map { ($0 as NSString).lastPathComponent }
    guard Set(last).count == last.count, !names.contains("-") else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "with --to every text is a file with a name of its own",
          de: "mit --to ist jeder Text eine Datei mit eigenem Namen"))
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandError(
        ExitStatus.wrongInput, LocalizedText("there is no folder \(folder)", de: "es gibt keinen Ordner \(folder)"))
    }
    // "a.txt" and "./a.txt" are one file.
    func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
    if let own = names.first(where: { real($0) == real(folder + "/" + ($0 as NSString).lastPathComponent) }) {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "\(own) would be overwritten; name another folder with --to",
          de: "\(own) würde überschrieben; mit --to einen anderen Ordner nennen"))
    }
  }

  private static func text(_ name: String) throws(CommandError) -> String {
    let handle = name == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: name)
    guard let handle, let data = try? handle.read(upToCount: mostBytes + 1) ?? Data() else {
      throw CommandError(
        ExitStatus.wrongInput, LocalizedText("\(name) cannot be read", de: "\(name) lässt sich nicht lesen"))
    }
    guard data.count <= mostBytes, let text = String(validating: data, as: UTF8.self) else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "\(name): a text of UTF-8 with at most \(mostBytes >> 20) MiB is wanted",
          de: "\(name): ein Text in UTF-8 mit höchstens \(mostBytes >> 20) MiB wird gebraucht"))
    }
    return text
  }

  /// Writes what has become of the texts: into the folder, or one after the other.
  func write(_ results: [String], isJSON: Bool, in workspace: Workspace) throws {
    guard let folder else {
      if !isJSON { for text in results { writeOutput(text.hasSuffix("\n") || text.isEmpty ? text : text + "\n") } }
      return
    }
    for (name, text) in zip(names, results) {
      let place = folder + "/" + (name as NSString).lastPathComponent
      try OutputFile.write(text, to: place, in: workspace, mode: 0o644)
    }
  }

  /// The sealed text of a mapping's file.
  static func mapping(_ path: String) throws(CommandError) -> String {
    let sealed = try text(path).trimmingCharacters(in: .whitespacesAndNewlines)
    guard Project.isSealed(sealed) else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "\(path) is not a sealed mapping; 'sous neutralise --mapping FILE' writes one",
          de: "\(path) ist keine versiegelte Zuordnung; 'sous neutralise --mapping DATEI' schreibt eine"))
    }
    return sealed
  }

  static func unknownFormat(_ name: String) -> CommandError {
    let formats = TextFormat.allCases.map(\.rawValue)
    return CommandError(
      ExitStatus.wrongInput,
      LocalizedText("unknown format '\(name)'", de: "unbekanntes Format '\(name)'")
        + Suggestion.text(for: name, among: formats)
        + LocalizedText(verbatim: ": \(formats.joined(separator: ", "))"))
  }
}
