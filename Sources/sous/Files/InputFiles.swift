import Builtins
import Engine
import Foundation
import Localization
import UseCases

/// Inputs that are given as the name of a file: `-i text=@letter.pdf`, `-i text=-` for standard input.
enum InputFiles {
  /// The inputs with the texts of their files; `@@` represents a text that begins with `@`.
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
        let text = try StandardInput.text(isAskedFor: true, limit: DocumentText.maximumText)
        guard !text.allSatisfy(\.isWhitespace) else {
          throw blank(
            LocalizedText("standard input has no text", de: "die Standardeingabe hat keinen Text"), input.name)
        }
        result.append(Assignment(input.name, text))
      } else if input.text.hasPrefix("@@") {
        result.append(Assignment(input.name, String(input.text.dropFirst())))
      } else if input.text.hasPrefix("@"), input.text.count > 1 {
        result.append(
          Assignment(
            input.name, try await text(of: String(input.text.dropFirst()), input: input.name)))
      } else {
        result.append(input)
      }
    }
    return result
  }

  /// Prevents that a model gets an empty text by mistake.
  private static func blank(_ found: LocalizedText, _ input: String?) -> CommandError {
    let advice = input.map {
      LocalizedText("; for an empty text write -i \($0)=", de: "; für einen leeren Text -i \($0)= schreiben")
    }
    return CommandError(ExitStatus.wrongInput, found + (advice ?? LocalizedText(verbatim: "")))
  }

  /// The text of a file, or the `data:` URL of a picture.
  ///
  /// - Parameter input: The input that it is for; `nil` if it goes along with a question.
  /// - Throws: ``CommandError`` where it cannot be read, or has no text.
  static func text(of name: String, input: String? = nil) async throws(CommandError) -> String {
    let path = (name as NSString).expandingTildeInPath
    let unreadable = LocalizedText(
      "the file '\(name)' cannot be read", de: "die Datei '\(name)' lässt sich nicht lesen")
    guard let file = FileHandle(forReadingAtPath: path) else {
      let advice = LocalizedText(
        "; for a text that begins with @ write @@", de: "; für einen Text, der mit @ beginnt, @@ schreiben")
      throw CommandError(ExitStatus.wrongInput, input == nil ? unreadable : unreadable + advice)
    }
    defer { try? file.close() }
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try file.read(upToCount: DocumentText.maximumBytes + 1) ?? Data())
    } catch {
      throw CommandError(ExitStatus.wrongInput, unreadable)
    }
    let text: String
    do throws(ActionFailure) {
      text = try await DocumentText(environment: ProcessInfo.processInfo.environment)
        .text(of: bytes, name: name, folder: FileManager.default.currentDirectoryPath)
    } catch {
      let advice = error.advice.map { LocalizedText(verbatim: "; ") + $0 } ?? LocalizedText(verbatim: "")
      throw CommandError(ExitStatus.wrongInput, error.message + advice)
    }
    guard !text.allSatisfy(\.isWhitespace) else {
      throw blank(LocalizedText("the file '\(name)' has no text", de: "die Datei '\(name)' hat keinen Text"), input)
    }
    return text
  }
}
