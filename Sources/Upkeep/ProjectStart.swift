import Foundation
import Glibc
public import Localization
import OperatingSystem
public import UseCases

/// The files that a new project begins with: a commented configuration and a first recipe.
public enum ProjectStart {
  /// Writes the files; all of them or none.
  ///
  /// - Parameters:
  ///   - folder: Where; it is made if it is missing.
  ///   - language: The language of comments and texts in the files.
  /// - Returns: The paths of the files, the recipe last.
  /// - Throws: ``UseCaseError``: `wrong_input` if one of the files exists, `environment` if one cannot be written.
  public static func write(to folder: String, language: Language) throws(UseCaseError) -> [String] {
    let files =
      switch language {
      case .english: [("sous.yaml", configurationStart), ("hello.yaml", recipeStart)]
      case .german: [("sous.yaml", germanConfigurationStart), ("hello.yaml", germanRecipeStart)]
      }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      let reason = LocalizedText.systemError(errno)
      throw UseCaseError(
        .environment,
        .init("\(folder) cannot be made: ", de: "\(folder) lässt sich nicht anlegen: ") + reason)
    }
    func path(_ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }
    // All or nothing: a configuration without its recipe helps nobody.
    if let existing = files.map({ path($0.0) }).first(where: FileManager.default.fileExists) {
      throw occupied(existing)
    }
    var written: [String] = []
    for (name, text) in files {
      let path = path(name)
      do throws(SystemError) {
        // A file that is there is somebody's work.
        try AtomicFile.write(Array(text.utf8), to: path, mode: nil, replacing: false)
      } catch {
        written.forEach { unlink($0) }
        throw error.code == EEXIST ? occupied(path) : unwritable(path, error.code)
      }
      written.append(path)
    }
    return written
  }

  private static func unwritable(_ path: String, _ code: Int32) -> UseCaseError {
    UseCaseError(
      .environment,
      .init("\(path) cannot be written: ", de: "\(path) lässt sich nicht schreiben: ") + .systemError(code)
        + .init("; nothing was kept", de: "; nichts blieb zurück"))
  }

  private static func occupied(_ path: String) -> UseCaseError {
    UseCaseError(
      .wrongInput,
      .init(
        "\(path) exists already; nothing was written. Name another folder: sous init FOLDER",
        de: "\(path) gibt es schon; nichts wurde geschrieben. Anderen Ordner nennen: sous init ORDNER"))
  }

  private static let configurationStart = """
    # Sous looks for this file in the current folder and upwards. All keys: sous docs operations

    # A provider is a plugin with settings, under a name of your choice. Recipes name contracts (mail.search), not
    # vendors: this file decides which provider carries one out.
    providers:
      # A folder of mail on this machine, in the Maildir format.
      # home: { plugin: maildir, path: /home/me/Maildir }

      # Summaries, key phrases and simple classification without any language model.
      words: { plugin: extractive }

      # A language model on this machine, for everything else; others: sous docs models
      # local: { plugin: ollama, model: "llama3:8b" }

    # The provider of a contract if a step names none; a list is a fallback order.
    defaults:
      # mail.store: home
      # mail.transport: home
      chat: words             # with a model: [local, words]

    # How long ended runs stay in the run log; without this, for ever.
    engine:
      retention: { age: 90d, size: 1GB }

    """

  private static let germanConfigurationStart = """
    # Sous sucht diese Datei im aktuellen Ordner und in den Ordnern darüber. Alle Schlüssel: sous docs operations

    # Ein Provider ist ein Plugin mit Einstellungen unter einem frei gewählten Namen. Rezepte nennen Verträge
    # (mail.search) und keine Hersteller: Diese Datei entscheidet, welcher Provider einen Vertrag ausführt.
    providers:
      # Ein Ordner mit Mail auf diesem Rechner, im Format Maildir.
      # home: { plugin: maildir, path: /home/ich/Maildir }

      # Zusammenfassungen, Stichwörter und einfaches Einordnen ohne Sprachmodell.
      words: { plugin: extractive }

      # Ein Sprachmodell auf diesem Rechner für alles Übrige; weitere: sous docs models
      # local: { plugin: ollama, model: "llama3:8b" }

    # Der Provider eines Vertrags, wenn ein Schritt keinen nennt. In einer Liste springt der nächste ein, wenn einer ausfällt.
    defaults:
      # mail.store: home
      # mail.transport: home
      chat: words             # mit einem Modell: [local, words]

    # Wie lange beendete Läufe im Laufprotokoll bleiben; ohne diese Angabe für immer.
    engine:
      retention: { age: 90d, size: 1GB }

    """

  private static let recipeStart = #"""
    name: hello
    description: The first recipe

    inputs:
      name: { type: string, default: world }

    steps:
      - id: greet
        uses: template
        with: { text: "Hello, {{ inputs.name }}!" }

    outputs:
      greeting: "{{ steps.greet.output.text }}"

    """#

  private static let germanRecipeStart = #"""
    name: hello
    description: Das erste Rezept

    inputs:
      name: { type: string, default: Welt }

    steps:
      - id: greet
        uses: template
        with: { text: "Hallo, {{ inputs.name }}!" }

    outputs:
      greeting: "{{ steps.greet.output.text }}"

    """#
}
