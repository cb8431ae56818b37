import Foundation
import Recipes

/// File names for what people call things.
enum CatalogNames {
  /// Whether a name belongs to something else: `folder.yaml` says what a folder has in common.
  static func isReserved(_ name: String) -> Bool { name.split(separator: "/").last == "folder" }

  /// The file name for a title: `Kurze Antwort!` becomes `kurze-antwort`.
  static func slug(_ title: String) -> String {
    var result = ""
    for character in title.precomposedStringWithCanonicalMapping.lowercased() {
      if character.isLetter || character.isNumber {
        // What has no case and no simple form, such as CJK, stays: file names are UTF-8.
        result.append(character)
      } else if result.last != "-", !result.isEmpty {
        result.append("-")
      }
      if result.utf8.count >= 80 { break }
    }
    while result.last == "-" { result.removeLast() }
    return result.isEmpty ? "prompt" : result
  }

  /// A name in a folder that nothing has yet.
  ///
  /// - Parameter taken: The names in use, in lower case.
  static func unused(_ title: String, in folder: String, taken: inout Set<String>) -> String {
    let prefix = folder.isEmpty ? "" : folder + "/"
    let base = prefix + slug(title)
    var name = base
    var number = 2
    while isReserved(name) || (folder.isEmpty && ["recipes", "cookbooks"].contains(name))
      || !taken.insert(name.lowercased()).inserted
    {
      name = "\(base)-\(number)"
      number += 1
    }
    return name
  }
}
