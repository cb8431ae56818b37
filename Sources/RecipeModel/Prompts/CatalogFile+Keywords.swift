import Localization
import Plans
package import RecipeSyntax
import Schemas

/// A keyword of a file of the catalog.
package struct CatalogKeyword: Sendable {
  /// Its name as it is written.
  package var name: String
  /// Its value as it is written.
  package var value: String
  /// The file.
  package var path: String
  /// Where it stands there.
  package var range: SourceRange
}

extension CatalogFile {
  /// The keywords as one text, `Anrede: Du; Stil: knapp`; `nil` where there are none.
  package func keywordText(of node: Node?) -> String? {
    guard let node, !node.isNull else { return nil }
    if let text = node.scalar?.text { return text }
    return node.mapping?.entries.map { "\($0.name): \(Self.chosen($0.value, "en").scalar?.text ?? "")" }
      .joined(separator: "; ")
  }

  /// The keywords in their order, also those twice and those whose name no expression can use; tags are none.
  package func pairs(_ node: Node?, in language: String) -> [CatalogKeyword] {
    guard let node, !node.isNull else { return [] }
    if let map = node.mapping {
      return map.entries.compactMap { entry in
        Self.chosen(entry.value, language).scalar.map {
          CatalogKeyword(name: entry.name, value: $0.text, path: document.source.path, range: entry.nameRange)
        }
      }
    }
    return KeywordReader.texts(node.scalar?.text ?? "", isLiteral: isLiteral).map {
      CatalogKeyword(name: $0.name, value: $0.value, path: document.source.path, range: node.range)
    }
  }

  /// The keywords that expressions can use, and what is wrong with them.
  ///
  /// A text may hold tags, names with blanks and names twice, as other programs allow; of those that are the same the last
  /// one counts. A map is written by hand for Sous, and its names are checked.
  func keywordSources(_ node: Node?, in language: String, _ reader: FieldReader) -> [KeywordSource] {
    guard let node, !node.isNull else { return [] }
    if let map = node.mapping {
      let entries = map.entries.map { (name: $0.name, value: Self.chosen($0.value, language)) }
      var sources = KeywordReader(reader: reader).keywords(Node.map(entries, at: node.range))
      for index in sources.indices {
        if let entry = map.entry(sources[index].name) { sources[index].nameRange = entry.nameRange }
        if isLiteral { sources[index].text.text = Self.escaped(sources[index].text.text) }
      }
      return sources
    }
    guard let text = node.scalar?.text else {
      return KeywordReader(reader: reader).keywords(node)
    }
    var sources: [KeywordSource] = []
    for pair in KeywordReader.texts(text, isLiteral: isLiteral) {
      guard KeywordName.isValid(pair.name), !PlanVariables.reserved.contains(pair.name) else { continue }
      sources.removeAll { $0.name == pair.name }
      sources.append(
        KeywordSource(
          name: pair.name, nameRange: document.range(of: pair.nameOffsets, in: node),
          text: PlacedText(
            text: isLiteral ? Self.escaped(pair.value) : pair.value, node: node, document: document,
            base: pair.valueOffset)))
    }
    return sources
  }
}
