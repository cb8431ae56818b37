import Foundation
import Glibc
import Localization
import OperatingSystem

/// The files that a new project begins with: a commented configuration and a first recipe.
public enum ProjectStart {
  /// Writes the files; all of them or none.
  ///
  /// - Parameter folder: Where; made where it is missing.
  /// - Returns: The paths of the files, the recipe last.
  /// - Throws: ``UseCaseError``: `wrong_input` where one of the files is there already, `environment` where one cannot be
  ///   written.
  public static func write(to folder: String) throws(UseCaseError) -> [String] {
    let files = [("sous.yaml", Self.configurationStart), ("hello.yaml", Self.recipeStart)]
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

  static let configurationStart = """
    # Sous looks for this file in the current folder and upwards. See docs/operations.md.

    # A provider is a plugin with settings, under a name of your choice. Recipes name contracts (mail.search), not
    # vendors: which provider carries one out is decided here.
    providers:
      # A folder of mail on this machine, in the Maildir format.
      # home: { plugin: maildir, path: /home/me/Maildir }

      # Summaries, key phrases and simple classification without any language model.
      words: { plugin: extractive }

      # A language model on this machine, for everything else; docs/models.md names others.
      # local: { plugin: ollama, model: "llama3:8b" }

    # The provider of a contract where a step names none; a list is a fallback order.
    defaults:
      # mail.store: home
      # mail.transport: home
      chat: words             # with a model: [local, words]

    # How long ended runs stay in the run log; without this, for ever.
    engine:
      retention: { age: 90d, size: 1GB }

    """

  static let recipeStart = #"""
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
}
