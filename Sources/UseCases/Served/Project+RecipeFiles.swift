import Foundation
import Glibc
import Hashing
public import Localization
import OperatingSystem
import Plans
import RecipeSyntax
import RunStore
import Schemas

extension Project {
  /// Writes a copy of a served recipe beside it, under another name. Its triggers are switched off: it would start whatever
  /// the first one does a second time.
  ///
  /// - Parameters:
  ///   - name: The recipe's name or file.
  ///   - copy: The name of the copy, and of its file.
  /// - Returns: The copy's file.
  /// - Throws: ``UseCaseError`` where there is no such recipe, or where the copy is there already.
  public func duplicateRecipe(_ name: String, as copy: String) async throws(UseCaseError) -> String {
    let path = try servedPath(of: name)
    let text: String
    do {
      text = String(decoding: try SourceText.read(path).bytes, as: UTF8.self)
    } catch {
      throw .wrongInput(error.message)
    }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let file = try recipeFile(copy, in: folder)
    let renamed = Self.renamed(text, copy)
    // Switched off before it is there: a daemon may look at any moment.
    try await workspace.recordingRunLog { try await $0.setDisabled(file, true) }
    try Self.write(renamed, to: file)
    return file
  }

  /// Writes a recipe from a template into the first of the folders that are served.
  ///
  /// - Parameters:
  ///   - name: The recipe's name, and that of its file; `nil` for the name of the template.
  ///   - template: A ``RecipeTemplate``, or the name of a recipe that comes with the program.
  ///   - language: The language of its texts, if the template has it.
  /// - Returns: The file.
  /// - Throws: ``UseCaseError`` if the template does not exist, or if the file exists or cannot be written.
  public func newRecipe(
    _ name: String?, from template: String, language: Language = .english
  ) throws(UseCaseError) -> String {
    guard let text = RecipeTemplate.text(of: template, name: name ?? template, language: language) else {
      throw .wrongInput(
        .init("unknown template '\(template)'", de: "unbekannte Vorlage '\(template)'")
          + Suggestion.text(for: template, among: RecipeTemplate.names)
          + .init("; all templates: sous recipes new --help", de: "; alle Vorlagen: sous recipes new --help"))
    }
    return try writeRecipe(name ?? template, text: text)
  }

  /// Writes a new recipe into the first of the folders that are served.
  ///
  /// - Returns: The file.
  /// - Throws: ``UseCaseError`` if the name cannot be that of a file, or if the file exists or cannot be written.
  public func writeRecipe(_ name: String, text: String) throws(UseCaseError) -> String {
    let folder = servedFolders.first ?? "recipes"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = try recipeFile(name, in: folder)
    try Self.write(text, to: file)
    return file
  }

  /// Replaces the text of a recipe, whole or not at all.
  ///
  /// - Parameter digest: The SHA-256 of the text that is replaced.
  /// - Throws: ``UseCaseError``: `run_state` if the file has another text by now; `wrong_input` if it cannot be written.
  public func replaceRecipe(_ path: String, text: String, ifDigest digest: String) throws(UseCaseError) {
    do {
      let lock = try FileLock(path: workspace.stateFolder + "/recipes.lock", patience: 10)
      defer { lock?.release() }
      guard let bytes = try? SourceText.read(path).bytes, ContentHash.hexadecimal(of: bytes) == digest else {
        throw UseCaseError.runState(
          .init("\(path) was changed meanwhile", de: "\(path) wurde inzwischen geändert"))
      }
      var facts = stat()
      let mode = stat(path, &facts) == 0 ? facts.st_mode & 0o777 : nil
      try AtomicFile.write(Array(text.utf8), to: path, mode: mode)
    } catch let error as UseCaseError {
      throw error
    } catch let error as SystemError {
      throw Self.failure(path, error.code)
    } catch {
      throw UseCaseError(error)
    }
  }

  /// The file of a recipe of a name that is free.
  private func recipeFile(_ name: String, in folder: String) throws(UseCaseError) -> String {
    let isName = name.utf8.allSatisfy { byte in
      byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || [0x2d, 0x5f].contains(byte)
    }
    guard isName, !name.isEmpty, name.utf8.count <= 100 else {
      throw .wrongInput(
        .init(
          "a name for a new recipe has letters, digits, '-' and '_', 100 at most",
          de: "der Name eines neuen Rezepts hat Buchstaben, Ziffern, '-' und '_', höchstens 100"))
    }
    return "\(folder)/\(name).yaml"
  }

  /// The text of a recipe with another name: in the line that has it, or in a new one.
  fileprivate static func renamed(_ text: String, _ name: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let line = lines.firstIndex(where: { $0.hasPrefix("name:") }) {
      lines[line] = "name: \(name)"
    } else {
      lines.insert("name: \(name)", at: lines.first?.hasPrefix("---") == true ? 1 : 0)
    }
    return lines.joined(separator: "\n")
  }

  private static func write(_ text: String, to path: String) throws(UseCaseError) {
    // O_EXCL: a file that is there is somebody's work.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path, errno) }
    let bytes = Array(text.utf8)
    let count = Glibc.write(descriptor, bytes, bytes.count)
    let reason = errno
    guard close(descriptor) == 0, count == bytes.count else {
      unlink(path)
      throw failure(path, reason)
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> UseCaseError {
    .wrongInput(
      LocalizedText("cannot write \(path): ", de: "\(path) lässt sich nicht schreiben: ") + .systemError(code))
  }
}

/// What a new recipe begins from.
public enum RecipeTemplate: String, Sendable, CaseIterable {
  /// By the clock.
  case schedule
  /// When a message comes.
  case mail
  /// A filter for mail.
  case filter
  /// When a file comes.
  case file
  /// When another program asks for it.
  case webhook
  /// When another recipe fails.
  case failure

  /// What it is for.
  public var summary: LocalizedText {
    switch self {
    case .schedule: .init("by the clock", de: "nach der Uhr")
    case .mail: .init("when a message comes", de: "wenn eine Nachricht kommt")
    case .filter: .init("rules for a mailbox", de: "Regeln für ein Postfach")
    case .file: .init("when a file comes", de: "wenn eine Datei kommt")
    case .webhook: .init("when another program asks for it", de: "wenn ein anderes Programm darum bittet")
    case .failure: .init("when another recipe fails", de: "wenn ein anderes Rezept scheitert")
    }
  }

  /// The names of all templates: these, and the recipes that come with the program.
  public static var names: [String] { allCases.map(\.rawValue) + workflows }

  /// The names of the recipes that come with the program.
  public static var workflows: [String] {
    guard let folder = SharedFiles.templates.folder() else { return [] }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    return files.filter { $0.hasSuffix(".yaml") && !$0.hasSuffix(".test.yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// The text of a new recipe; `nil` if no template has that name.
  package static func text(of template: String, name: String, language: Language = .english) -> String? {
    if let template = RecipeTemplate(rawValue: template) { return template.text.replacing("NAME", with: name) }
    guard workflows.contains(template), let folder = SharedFiles.templates.folder() else { return nil }
    let translation = language == .english ? nil : folder.appending(path: "\(language.rawValue)/\(template).yaml")
    guard
      let data = translation.flatMap({ try? Data(contentsOf: $0) })
        ?? (try? Data(contentsOf: folder.appending(path: template + ".yaml")))
    else { return nil }
    // The schema's path is that of the sources.
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return Project.renamed(lines.filter { !$0.hasPrefix("# yaml-language-server:") }.joined(separator: "\n"), name)
  }

  /// The recipe.
  var text: String {
    switch self {
    case .schedule:
      """
      name: NAME
      on: { schedule: { cron: "0 7 * * 1-5" } }      # what else there is: docs/schedules.md
      steps:
        - { id: say, uses: log, with: { message: "due {{ event.at }}" } }

      """
    case .mail:
      """
      name: NAME
      on: { mail: { event: new, folder: INBOX } }
      steps:
        - { id: say, uses: log, with: { message: "{{ event.message.subject }}" } }

      """
    case .filter:
      """
      kind: mail-filter
      name: NAME
      folder: INBOX
      on: { mail: new }
      rules:
        - name: newsletters
          when: message.bulk
          then: [{ move: Newsletters }, mark_seen]

      """
    case .file:
      """
      name: NAME
      on: { file: { path: "inbox/*.pdf", inputs: { path: "{{ event.path }}" } } }
      inputs: { path: string }
      steps:
        - { id: say, uses: log, with: { message: "{{ inputs.path }}" } }

      """
    case .webhook:
      """
      name: NAME
      # The sender has the secret too: sous secrets set WEBHOOK_SECRET
      on: { webhook: { name: NAME, secret: WEBHOOK_SECRET } }
      steps:
        - { id: say, uses: log, with: { message: "a request" } }

      """
    case .failure:
      """
      name: NAME
      on: { recipe: "*", failed: true }      # any other recipe; or a name such as digest
      steps:
        - { id: say, uses: log, with: { message: "{{ event.recipe }} {{ event.status }}: {{ event.run }}" } }

      """
    }
  }
}
