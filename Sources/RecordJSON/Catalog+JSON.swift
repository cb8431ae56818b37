package import Catalog
package import Expressions
import RecipeModel
import RecipeSyntax

extension CatalogSnapshot {
  /// An entry: `{name, kind, title, icon, keywords, order, bundled, default, path, preset}`.
  package func json(_ place: Place) -> ValueMap {
    let file = file(place)
    return [
      "name": .string(place.label), "kind": .string((file?.kind ?? .folder).rawValue), "title": .string(title(place)),
      "icon": .string(file?.icon ?? ""), "keywords": .string(file?.keywordText(of: file?.map["keywords"]) ?? ""),
      "order": file?.order.map { .int(Int64($0)) } ?? .null, "bundled": .bool(isBundled(place)),
      "default": .bool(file?.isDefault ?? false), "path": file.map { .string($0.document.source.path) } ?? .null,
      "preset": file?.target.map { .string($0) } ?? .null,
    ]
  }

  /// An entry with its way from the root, `title_path`, and the keys of its file that it does not have otherwise.
  package func detail(_ place: Place) -> ValueMap {
    var map = json(place)
    map["title_path"] = .string(titlePath(place))
    for (key, value) in fields(of: place).entries where map[key.text] == nil { map[key.text] = value }
    return map
  }

  /// The keys of an entry's file as they are written.
  package func fields(of place: Place) -> ValueMap {
    var fields = ValueMap()
    for entry in file(place)?.map.entries ?? [] { fields[entry.name] = entry.value.value }
    return fields
  }

  /// The entries whose names or texts contain all of some words.
  package func places(with words: [String]) -> [Place] {
    let wanted = words.map { $0.lowercased() }
    return descendants(of: "").filter { place in
      let text = place.name + " " + title(place) + " " + (file(place)?.document.source.text ?? "")
      let lowered = text.lowercased()
      return wanted.allSatisfy { lowered.contains($0) }
    }
  }
}

extension ResolvedPrompt {
  /// The text: `{text, system, keywords: [{name, value, from, replaces}]}`.
  package var json: Value {
    [
      "text": .string(text), "system": system.map { .string($0) } ?? .null,
      "keywords": .list(
        keywords.map {
          [
            "name": .string($0.name), "value": .string($0.value), "from": .string($0.place),
            "replaces": .list($0.replaced.map { .string($0) }),
          ]
        }),
    ]
  }
}

extension CatalogResult {
  /// The change: `{name, affected, rewritten}`.
  package var json: Value {
    [
      "name": .string(name), "affected": .list(affected.map { .string($0) }),
      "rewritten": .list(rewritten.map { .string($0) }),
    ]
  }
}
