import Foundation
import Localization

/// The language this process speaks: `--lang`, otherwise `LC_ALL`, `LC_MESSAGES`, `LANG`.
///
/// Read once from the command line, because help texts are wanted before the command line is parsed.
enum Speech {
  static let language: Language = {
    let arguments = CommandLine.arguments
    for (index, argument) in arguments.enumerated() {
      if argument == "--lang", index + 1 < arguments.count, let language = Language(tag: arguments[index + 1]) {
        return language
      }
      if argument.hasPrefix("--lang="), let language = Language(tag: String(argument.dropFirst(7))) { return language }
    }
    return .preferred(environment: ProcessInfo.processInfo.environment)
  }()
}

/// A text in the language of the process.
func say(_ english: String, de german: String) -> String {
  LocalizedText(english, de: german).string(in: Speech.language)
}

extension LocalizedText {
  /// The text in the language of the process.
  var spoken: String { string(in: Speech.language) }
}
