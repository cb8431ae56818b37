import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import Notes
import RecipeSyntax
import Schedules
import UseCases

/// `sous notes export`
struct NotesExportCommand: AsyncParsableCommand {
  /// The format of the notes.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case markdown, text, json, entries, voicenotes, pdf

    /// The name of the file in a folder, or what it ends with.
    func name(_ now: Timestamp) -> String {
      switch self {
      case .markdown: NoteText.fileName(now, zone: .current, ending: "md")
      case .text: NoteText.fileName(now, zone: .current, ending: "txt")
      case .pdf: NoteText.fileName(now, zone: .current, ending: "pdf")
      case .json: "notes.json"
      case .entries: "entries.json"
      case .voicenotes: "voicenotes.json"
      }
    }
  }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: say(
        "Write notes as Markdown, text, JSON, entries.json, VoiceNotes or PDF.",
        de: "Notizen als Markdown, Text, JSON, entries.json, VoiceNotes oder PDF schreiben."),
      discussion: say(
        "json has everything. Recordings and attachments are written beside the JSON where -o names a folder.",
        de: "json hat alles. Aufnahmen und Anhänge kommen neben das JSON, wo -o einen Ordner nennt."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "Which notes; default: all that the options say.", de: "Welche Notizen; Vorgabe: alle, die die Optionen sagen."),
      valueName: "note"))
  var notes: [String] = []

  @Option(
    name: [.customShort("F"), .customLong("format")],
    help: ArgumentHelp(
      say(
        "markdown, text, json, entries, voicenotes or pdf.", de: "markdown, text, json, entries, voicenotes oder pdf."),
      valueName: "format"))
  var form: Form = .markdown

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "The file, or a folder (it exists, or ends in /); default: standard output, also -.",
        de: "Die Datei, oder ein Ordner (es gibt ihn, oder er endet auf /); - oder nichts: Standardausgabe."),
      valueName: "path"))
  var output: String?

  @OptionGroup var filter: NoteFilterOptions
  @OptionGroup var global: GlobalOptions

  mutating func run() async throws {
    let now = SystemTime().now
    if output == "-" { output = nil }
    let workspace = try Workspace(global)
    let (wanted, references) = (filter.filter(), notes)
    let (found, categories) = try workspace.readingNotes(
      { store -> ([Note], [NoteCategory]) in
        let notes =
          references.isEmpty
          ? try store.notes(wanted, limit: .max - 1).notes : try references.map { try store.note($0) }
        return (notes, try store.categories())
      }, ifMissing: { ([], NoteCategory.first(in: Speech.language)) })
    guard !found.isEmpty || form == .json || form == .entries || form == .voicenotes else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init("there are no notes to export", de: "es gibt keine Notizen zum Exportieren"))
    }
    let count = found.count
    if output != nil {
      writeError(
        count == 1
          ? say("exporting 1 note\n", de: "1 Notiz wird exportiert\n")
          : say("exporting \(count) notes\n", de: "\(count) Notizen werden exportiert\n"))
    }
    switch form {
    case .markdown: try write(Array(NoteText.markdown(found, zone: .current, now: now).utf8), now)
    case .text:
      try write(Array(found.map { NoteText.text(of: $0, zone: .current) }.joined(separator: "\n").utf8), now)
    case .pdf:
      let pdf = try await workspace.withSession { try await $0.pdf(ofNotes: found) }
      try write(pdf.bytes, now)
      if pdf.unknownSigns > 0 { writeError(Self.missingFont(pdf.unknownSigns) + "\n") }
    case .json: try write(NoteExport.full(found, categories: categories), workspace, now)
    case .entries: try write(NoteExport.entries(found), workspace, now)
    case .voicenotes: try write(NoteExport.voiceNotes(found), workspace, now)
    }
  }

  private static func missingFont(_ signs: Int) -> String {
    let count = LocalizedText.count(signs, "sign", "signs", de: "Zeichen", "Zeichen").spoken
    return say(
      "! no installed font has \(count) of these notes, and the PDF has boxes instead: install a font, such as the package "
        + "fonts-noto-cjk or fonts-noto-color-emoji",
      de:
        "! \(count) dieser Notizen hat keine installierte Schrift, im PDF sind es Kästchen: eine Schrift installieren, "
        + "etwa das Paket fonts-noto-cjk oder fonts-noto-color-emoji")
  }

  /// The folder that is written to, made if it is missing; `nil` if a file or standard output is.
  private func folder() throws(CommandError) -> String? {
    guard let output else { return nil }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
    guard exists ? isFolder.boolValue : output.hasSuffix("/") else { return nil }
    let path = output.count > 1 && output.hasSuffix("/") ? String(output.dropLast()) : output
    do {
      try FileManager.default.createDirectory(atPath: path + "/files", withIntermediateDirectories: true)
    } catch {
      throw CommandError(
        ExitStatus.environment,
        .init(
          "Export failed: '\(path)' cannot be made", de: "Export fehlgeschlagen: '\(path)' lässt sich nicht anlegen"))
    }
    return path
  }

  private func write(_ bytes: [UInt8], _ now: Timestamp) throws {
    guard let output else {
      guard form != .pdf || isatty(STDOUT_FILENO) == 0 else {
        throw CommandError(
          ExitStatus.wrongInput,
          .init("a PDF is not a text: name a file with -o", de: "ein PDF ist kein Text: mit -o eine Datei nennen"))
      }
      return FileHandle.standardOutput.write(Data(bytes))
    }
    let place = try target(now)
    let file = try OutputFile(place, in: try Workspace(global))
    try file.write(bytes)
    try file.finish()
    if place != output { sous.write(place + "\n") }
  }

  private func target(_ now: Timestamp) throws(CommandError) -> String {
    guard let output else { return "" }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
    guard exists ? isFolder.boolValue : output.hasSuffix("/") else { return output }
    if !exists { try? FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true) }
    return (output.hasSuffix("/") ? output : output + "/") + form.name(now)
  }

  /// Writes JSON, and what lies beside it.
  private func write(_ export: NoteExport, _ workspace: Workspace, _ now: Timestamp) throws {
    let bytes = export.json.json(pretty: true) + Array("\n".utf8)
    for name in export.missing {
      writeError(say("- the content of '\(name)' is missing\n", de: "- der Inhalt von '\(name)' fehlt\n"))
    }
    guard let folder = export.files.isEmpty ? nil : try folder() else {
      if !export.files.isEmpty {
        let count = export.files.count
        writeError(
          say(
            "- \(count) recordings and attachments are left out: name a folder with -o\n",
            de: "- \(count) Aufnahmen und Anhänge fehlen: mit -o einen Ordner nennen\n"))
      }
      return try write(bytes, now)
    }
    try workspace.readingNotes(
      { store in
        for file in export.files {
          let place = folder + "/" + file.path
          try NoteFiles.write(file.hash, of: store, to: place, in: workspace)
        }
      }, ifMissing: {})
    if form == .entries { rmdir(folder + "/files") }
    try write(bytes, now)
  }
}

/// `sous notes import`
struct NotesImportCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract: say(
        "Keep the notes of an entries.json, of VoiceNotes, or of an export.",
        de: "Die Notizen einer entries.json, von VoiceNotes oder eines Exports anlegen."),
      discussion: say(
        "Recordings are looked for beside the file. Notes that are there already are left alone.",
        de: "Aufnahmen werden neben der Datei gesucht. Notizen, die es schon gibt, bleiben, wie sie sind."))
  }

  private static let limit = 256 << 20

  @Argument(
    help: ArgumentHelp(
      say("The file; - for standard input.", de: "Die Datei; - für die Standardeingabe."), valueName: "file"))
  var file: String

  @Flag(help: ArgumentHelp(say("Only show what would be kept.", de: "Nur zeigen, was angelegt würde.")))
  var dryRun = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let bytes = try MessageArgument.source(file, limit: Self.limit).bytes
    let json: Value
    do throws(ExpressionError) {
      json = try Value(json: bytes, limits: JSONLimits(depth: 100, size: Self.limit, decodedSize: 4 << 30))
    } catch {
      throw CommandError(ExitStatus.wrongInput, LocalizedText(verbatim: "\(file): ") + error.message)
    }
    let folder = file == "-" ? "." : (file as NSString).deletingLastPathComponent
    let isPreview = dryRun
    let report = try await Workspace(global).withSession { session in
      try await session.importNotes(
        json, from: folder.isEmpty ? "." : folder, now: SystemTime().now, isPreview: isPreview)
    }
    if format.json {
      return writeJSON([
        "added": .list(report.added.map { .string($0.id) }), "known": .int(Int64(report.known)),
        "remarks": .list(
          report.remarks.map {
            [
              "position": .int(Int64($0.position)), "title": .string($0.title),
              "message": .string($0.message.spoken), "left_out": .bool($0.isLeftOut),
            ]
          }),
      ])
    }
    for remark in report.remarks {
      let title = remark.title.isEmpty ? "" : " (\(remark.title.cut(to: 40)))"
      let what = remark.isLeftOut ? say("left out: ", de: "ausgelassen: ") : ""
      writeError("- \(remark.position)\(title): \(what)\(remark.message.spoken)\n")
    }
    let count = report.added.count
    let words =
      isPreview
      ? say("\(count) would be kept", de: "\(count) würden angelegt") : say("\(count) kept", de: "\(count) angelegt")
    write(
      words
        + (report.known > 0
          ? say(", \(report.known) were there already\n", de: ", \(report.known) gab es schon\n") : "\n"))
  }
}
