import Foundation
public import Localization
import OperatingSystem
public import UseCases

/// The project of `sous demo`: a folder with example mail, a configuration and the recipe of a digest.
public enum ExampleProject {
  /// The recipe, relative to the folder.
  public static let recipe = "recipes/inbox-digest.yaml"

  /// Whether a folder holds the project already.
  public static func isThere(_ folder: String) -> Bool {
    ["sous.yaml", "mailbox", recipe].allSatisfy { FileManager.default.fileExists(atPath: folder + "/" + $0) }
  }

  /// Writes the project into a folder that does not exist or is empty. Its configuration names Ollama, whether it answers or not:
  /// ``choose(model:in:)`` decides.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - language: The language of the recipe and of comments.
  /// - Throws: ``UseCaseError``: `wrong_input` if the folder holds other files, `environment` if the example files are not
  ///   installed or the folder cannot be written.
  public static func write(to folder: String, language: Language) throws(UseCaseError) {
    let files = FileManager.default
    guard let mailbox = SharedFiles.mailbox.folder(),
      let digest = RecipeTemplate.text(of: "inbox-digest", name: "inbox-digest", language: language)
    else {
      throw .environment(
        .init(
          "the example files are not installed: they belong to share/sous beside the folder of the program",
          de: "die Beispieldateien sind nicht installiert: sie gehören nach share/sous neben dem Ordner des Programms"))
    }
    if let found = try? files.contentsOfDirectory(atPath: folder), !found.isEmpty {
      throw .wrongInput(
        .init(
          "\(folder) is not empty; name another folder: sous demo FOLDER",
          de: "\(folder) ist nicht leer; einen anderen Ordner nennen: sous demo ORDNER"))
    }
    do {
      try files.createDirectory(atPath: folder + "/recipes", withIntermediateDirectories: true)
      try copy(mailbox, to: folder + "/mailbox")
    } catch {
      throw .environment(
        .init("\(folder) cannot be written: ", de: "\(folder) lässt sich nicht schreiben: ")
          + .init(verbatim: error.localizedDescription))
    }
    try write(digest, to: folder + "/" + recipe, replacing: false)
    try write(configuration(model: usualModel, language), to: folder + "/sous.yaml", replacing: false)
  }

  /// Lets a model of this machine write the summaries, with the choice of sentences for messages that it does not answer.
  ///
  /// - Parameters:
  ///   - model: The model; `nil` for summaries without one.
  ///   - folder: The folder.
  ///   - language: The language of comments.
  public static func choose(model: String?, in folder: String, language: Language) throws(UseCaseError) {
    try write(configuration(model: model, language), to: folder + "/sous.yaml", replacing: true)
  }

  /// The files of a Maildir, written anew: those of a package may belong to another user and be read-only.
  private static func copy(_ mailbox: URL, to folder: String) throws {
    let files = FileManager.default
    for part in ["cur", "new", "tmp"] {
      try files.createDirectory(atPath: folder + "/" + part, withIntermediateDirectories: true)
      let source = mailbox.appending(path: part)
      for name in (try? files.contentsOfDirectory(atPath: source.path(percentEncoded: false))) ?? [] {
        let message = try Data(contentsOf: source.appending(path: name))
        try message.write(to: URL(filePath: folder + "/" + part + "/" + name))
      }
    }
  }

  private static func write(_ text: String, to path: String, replacing: Bool) throws(UseCaseError) {
    do throws(SystemError) {
      try AtomicFile.write(Array(text.utf8), to: path, mode: nil, replacing: replacing)
    } catch {
      throw .environment(
        .init("\(path) cannot be written: ", de: "\(path) lässt sich nicht schreiben: ") + .systemError(error.code))
    }
  }

  private static let usualModel = "llama3:8b"

  private static func configuration(model: String?, _ language: Language) -> String {
    let comments = Comments(language)
    return """
      # \(comments.head)
      providers:
        # \(comments.home)
        home: { plugin: maildir, path: mailbox }
        # \(comments.outbox)
        outbox: { plugin: maildir, path: outbox, create: true, from: "Jana Keller <jana.keller@example.com>" }
        # \(comments.words)
        words: { plugin: extractive }
        # \(comments.local)
        \(model == nil ? "# " : "")local: { plugin: ollama, model: \(quoted(model ?? usualModel)) }

      defaults:
        mail.store: home
        mail.transport: outbox
        chat: \(model == nil ? "words             # \(comments.chat)" : "[local, words]")

      """
  }

  /// The comments of the configuration.
  private struct Comments {
    let head, home, outbox, words, local, chat: String

    init(_ language: Language) {
      func text(_ english: String, de german: String) -> String { language == .german ? german : english }
      head = text(
        "Written by 'sous demo'. All keys: sous docs operations",
        de: "Von 'sous demo' geschrieben. Alle Schlüssel: sous docs operations")
      home = text(
        "50 example messages. Nothing in them is changed by reading.",
        de: "50 Beispielnachrichten. Lesen ändert nichts an ihnen.")
      outbox = text(
        "Mail that the recipes send is stored here, and goes nowhere.",
        de: "Hier landet, was die Rezepte senden. Nichts verlässt den Rechner.")
      words = text(
        "Summaries without a language model: sentences taken from the text.",
        de: "Zusammenfassungen ohne Sprachmodell: Sätze aus dem Text.")
      local = text(
        "A language model on this machine (https://ollama.com); others: sous docs models",
        de: "Ein Sprachmodell auf diesem Rechner (https://ollama.com); weitere: sous docs models")
      chat = text("with a model: [local, words]", de: "mit einem Modell: [local, words]")
    }
  }

  /// A name as a quoted text of YAML.
  private static func quoted(_ text: String) -> String {
    "'" + text.filter { !$0.isNewline }.replacing("'", with: "''") + "'"
  }
}
