import Foundation
import Glibc
import Hashing
public import Localization
import OperatingSystem
import Plans
import RecipeSyntax
public import RunStore
import Schemas

extension Project {
  /// Writes a copy of a served recipe beside it, under another name. Its triggers are switched off: it would start whatever
  /// the first one does a second time.
  ///
  /// - Parameters:
  ///   - name: The recipe's name or file.
  ///   - copy: The name of the copy, and of its file.
  ///   - source: Who does it.
  /// - Returns: The copy's file.
  /// - Throws: ``UseCaseError`` where there is no such recipe, or where the copy is there already.
  public func duplicateRecipe(
    _ name: String, as copy: String, by source: RecipeVersion.Source
  ) async throws(UseCaseError) -> String {
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
    await noteVersion(of: file, text: renamed, source)
    return file
  }

  /// Writes a recipe from a template into the first of the folders that are served.
  ///
  /// - Parameters:
  ///   - name: The recipe's name, and that of its file; `nil` for the name of the template.
  ///   - template: A ``RecipeTemplate``, or the name of a recipe that comes with the program.
  ///   - language: The language of its texts, if the template has it.
  ///   - source: Who does it.
  /// - Returns: The file.
  /// - Throws: ``UseCaseError`` if the template does not exist, or if the file exists or cannot be written.
  public func newRecipe(
    _ name: String?, from template: String, language: Language = .english, by source: RecipeVersion.Source
  ) async throws(UseCaseError) -> String {
    guard let text = RecipeTemplate.text(of: template, name: name ?? template, language: language) else {
      throw .wrongInput(
        .init("unknown template '\(template)'", de: "unbekannte Vorlage '\(template)'")
          + Suggestion.text(for: template, among: RecipeTemplate.names)
          + .init("; all templates: sous recipes new --help", de: "; alle Vorlagen: sous recipes new --help"))
    }
    return try await writeRecipe(name ?? template, text: text, by: source)
  }

  /// Writes a new recipe into the first of the folders that are served.
  ///
  /// - Returns: The file.
  /// - Throws: ``UseCaseError`` if the name cannot be that of a file, or if the file exists or cannot be written.
  public func writeRecipe(
    _ name: String, text: String, by source: RecipeVersion.Source
  ) async throws(UseCaseError) -> String {
    let folder = servedFolders.first ?? "recipes"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = try recipeFile(name, in: folder)
    try Self.write(text, to: file)
    await noteVersion(of: file, text: text, source)
    return file
  }

  /// Replaces the text of a recipe, whole or not at all. The text before and the text after are kept as versions.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the text that is replaced.
  ///   - source: Who does it.
  ///   - version: The number of the version whose text comes back.
  /// - Throws: ``UseCaseError``: `run_state` if the file has another text by now; `wrong_input` if it cannot be written; the code
  ///   of the run log if the text before cannot be kept.
  public func replaceRecipe(
    _ path: String, text: String, ifDigest digest: String, by source: RecipeVersion.Source,
    restoring version: Int? = nil
  ) async throws(UseCaseError) {
    try await changingRecipe(path, ifDigest: digest, to: text, by: source, restoring: version) {
      () throws(UseCaseError) in
      try Self.overwrite(path, text)
    }
  }

  /// Deletes the file of a recipe. Its text is kept as a version.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the text; `nil` for any.
  ///   - source: Who does it.
  /// - Throws: ``UseCaseError`` as ``replaceRecipe(_:text:ifDigest:by:restoring:)``.
  public func deleteRecipe(
    _ path: String, ifDigest digest: String? = nil, by source: RecipeVersion.Source
  ) async throws(UseCaseError) {
    try await changingRecipe(path, ifDigest: digest, to: nil, by: source) { () throws(UseCaseError) in
      guard unlink(path) == 0 else { throw Self.failure(path, errno) }
    }
  }

  /// Writes the file of a recipe anew that was deleted.
  package func rewriteRecipe(
    _ path: String, text: String, by source: RecipeVersion.Source, restoring version: Int
  ) async throws(UseCaseError) {
    try await withRecipeLock { try Self.write(text, to: path) }
    await noteVersion(of: path, text: text, source, restoring: version)
  }

  /// Replaces a file whole, with the permissions that it has.
  static func overwrite(_ path: String, _ text: String) throws(UseCaseError) {
    do {
      var facts = stat()
      let mode = stat(path, &facts) == 0 ? facts.st_mode & 0o777 : nil
      try AtomicFile.write(Array(text.utf8), to: path, mode: mode)
    } catch {
      throw failure(path, error.code)
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

  static func write(_ text: String, to path: String) throws(UseCaseError) {
    do {
      // A file that exists is not replaced.
      try AtomicFile.write(Array(text.utf8), to: path, mode: nil, replacing: false)
    } catch {
      throw failure(path, error.code)
    }
  }

  package static func failure(_ path: String, _ code: Int32) -> UseCaseError {
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

  /// The purpose of a template. For a recipe that comes with the program, this is its description. `nil` for an unknown name and
  /// for a recipe without a description.
  public static func summary(of template: String) -> LocalizedText? {
    if let template = RecipeTemplate(rawValue: template) { return template.summary }
    func description(_ language: Language) -> String? {
      guard let text = text(of: template, name: template, language: language) else { return nil }
      let (document, _) = YAMLDocument.parse(SourceText(path: template, text: text))
      return document?.root?.mapping?["description"]?.string
    }
    guard let english = description(.english) else { return nil }
    // Descriptions have both languages, or a translation of the recipe has its own.
    let halves = english.components(separatedBy: " / ")
    if halves.count == 2 { return LocalizedText(halves[0], de: halves[1]) }
    return LocalizedText(english, de: description(.german) ?? english)
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
