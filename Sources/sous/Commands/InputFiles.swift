import Builtins
import Engine
import Foundation
import Localization
import UseCases

/// Inputs that somebody has typed as the name of a file: `-i text=@letter.pdf`, `-i text=-` for standard input.
enum InputFiles {
  /// The inputs with the texts of their files; `@@` stands for a text that begins with `@`.
  ///
  /// - Throws: ``CommandError`` where a file cannot be read, or has no text.
  static func read(_ inputs: [Assignment]) async throws(CommandError) -> [Assignment] {
    var result: [Assignment] = []
    var hasReadInput = false
    for input in inputs {
      if input.text == "-" {
        guard !hasReadInput else {
          throw CommandError(
            ExitStatus.wrongInput,
            LocalizedText("only one input can be standard input", de: "nur eine Eingabe kann die Standardeingabe sein"))
        }
        hasReadInput = true
        result.append(
          Assignment(input.name, try StandardInput.text(isAskedFor: true, limit: DocumentText.maximumText)))
      } else if input.text.hasPrefix("@@") {
        result.append(Assignment(input.name, String(input.text.dropFirst())))
      } else if input.text.hasPrefix("@"), input.text.count > 1 {
        result.append(Assignment(input.name, try await text(of: String(input.text.dropFirst()))))
      } else {
        result.append(input)
      }
    }
    return result
  }

  private static func text(of name: String) async throws(CommandError) -> String {
    let path = (name as NSString).expandingTildeInPath
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "the file '\(name)' cannot be read; for a text that begins with @ write @@",
          de: "die Datei '\(name)' lässt sich nicht lesen; für einen Text, der mit @ beginnt, @@ schreiben"))
    }
    defer { try? file.close() }
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try file.read(upToCount: DocumentText.maximumBytes + 1) ?? Data())
    } catch {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("the file '\(name)' cannot be read", de: "die Datei '\(name)' lässt sich nicht lesen"))
    }
    do throws(ActionFailure) {
      return try await DocumentText(environment: ProcessInfo.processInfo.environment)
        .text(of: bytes, name: name, folder: FileManager.default.currentDirectoryPath)
    } catch {
      let advice = error.advice.map { LocalizedText(verbatim: "; ") + $0 } ?? LocalizedText(verbatim: "")
      throw CommandError(ExitStatus.wrongInput, error.message + advice)
    }
  }
}
