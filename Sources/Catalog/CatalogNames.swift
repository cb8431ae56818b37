import Foundation
import RecipeModel
import Schemas

/// File names for what people call things.
enum CatalogNames {
  /// Whether a name belongs to something else: `folder.yaml` says what a folder has in common.
  static func isReserved(_ name: String) -> Bool { name.split(separator: "/").last == "folder" }

  /// The most bytes of one part of a name: file systems take 255, and endings follow.
  private static let longestPart = 200

  /// Refuses what can be no name of an entry.
  static func check(_ name: String) throws(CatalogError) {
    guard PromptCatalog.isName("./" + name) else {
      throw CatalogError(
        .invalid, "'\(name)' is no name: letters, digits, '_' and '-', with slashes between",
        de: "'\(name)' ist kein Name: Buchstaben, Ziffern, '_' und '-', mit Schrägstrichen dazwischen")
    }
    guard name.split(separator: "/").allSatisfy({ $0.utf8.count <= longestPart }) else {
      throw CatalogError(
        .invalid, "a name has at most \(longestPart) bytes between its slashes; --name takes any text",
        de: "ein Name hat zwischen seinen Schrägstrichen höchstens \(longestPart) Bytes; --name nimmt jeden Text")
    }
    guard !isReserved(name) else {
      throw CatalogError(
        .invalid, "'\(name)' is no name: 'folder.yaml' says what its folder is; take another one",
        de: "'\(name)' ist kein Name: 'folder.yaml' sagt, was der Ordner ist; einen anderen nehmen")
    }
  }

  /// The file name for a title: `Kurze Antwort!` becomes `kurze-antwort`.
  static func slug(_ title: String) -> String {
    var result = ""
    for character in title.precomposedStringWithCanonicalMapping.lowercased() {
      if character.isLetter || character.isNumber {
        // What has no case and no simple form, such as CJK, stays: file names are UTF-8. A letter may have any number of
        // marks, a file name not.
        result +=
          character.utf8.count <= 16 ? String(character) : character.unicodeScalars.prefix(1).map(String.init).joined()
      } else if result.last != "-", !result.isEmpty {
        result.append("-")
      }
      if result.utf8.count >= 80 { break }
    }
    while result.last == "-" { result.removeLast() }
    return result.isEmpty ? "prompt" : result
  }

  /// Bytes of folders from which on the names of what is inside are cut.
  private static let longPath = 1500

  /// A name in a folder that nothing has yet.
  ///
  /// - Parameter taken: The names in use, in lower case.
  static func unused(_ title: String, in folder: String, taken: inout Set<String>) -> String {
    let prefix = folder.isEmpty ? "" : folder + "/"
    let slug = slug(title)
    // Below many folders names are short, so that the path stays one that the system takes.
    let base = prefix + (prefix.utf8.count > longPath ? String(slug.prefix(8)) : slug)
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
