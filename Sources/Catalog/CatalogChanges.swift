/// What is to become of files, all of it or nothing.
package struct CatalogChanges: Sendable {
  /// New texts by path below the catalog; `nil` removes a file.
  var files: [String: String?] = [:]
  /// New texts of files elsewhere in the project, such as recipes, by their paths.
  var others: [String: String] = [:]
  /// Names of prompts that come with Sous and are not to come back.
  var offered: Set<String> = []

  /// The files outside of the catalog that change.
  package var rewritten: [String] { others.keys.sorted() }

  mutating func write(_ path: String, _ text: String) { files.updateValue(text, forKey: path) }
  mutating func remove(_ path: String) { files.updateValue(nil, forKey: path) }
}
