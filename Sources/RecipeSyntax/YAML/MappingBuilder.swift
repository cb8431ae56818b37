import Expressions
import Localization

/// Collects the entries of one map: unique names, merge keys resolved.
struct MappingBuilder {
  let path: String
  private(set) var entries: [Node.Mapping.Entry] = []
  private(set) var diagnostics: [Diagnostic] = []
  private var positions: [String: Int] = [:]
  private var mergeRange: SourceRange?

  init(path: String) {
    self.path = path
  }

  /// Adds an entry or follows a merge key.
  mutating func add(key: Node, value: Node) {
    switch key.content {
    case .invalid: return
    case .sequence, .mapping:
      diagnostics.append(
        Diagnostic(
          .yamlKey,
          LocalizedText("a key is a text, not a list or map", de: "ein Schlüssel ist ein Text, keine Liste oder Map"),
          path: path, range: key.range))
    case .scalar(let scalar):
      if scalar.style == .plain, scalar.text == "<<" {
        merge(value, key: key)
      } else {
        insert(
          Node.Mapping.Entry(name: scalar.text, nameRange: key.range, value: value, isMerged: false))
      }
    }
  }

  private mutating func insert(_ entry: Node.Mapping.Entry) {
    guard let position = positions[entry.name] else {
      positions[entry.name] = entries.count
      entries.append(entry)
      return
    }
    let earlier = entries[position]
    if earlier.isMerged {
      entries[position] = entry
      return
    }
    diagnostics.append(duplicate(entry.name, at: entry.nameRange, first: earlier.nameRange))
  }

  private func duplicate(_ name: String, at range: SourceRange, first: SourceRange) -> Diagnostic {
    Diagnostic(
      .duplicateKey,
      LocalizedText("duplicate key '\(name)'", de: "doppelter Schlüssel '\(name)'"), path: path, range: range,
      related: [
        Diagnostic.Related(LocalizedText("first defined here", de: "zuerst hier festgelegt"), at: first)
      ])
  }

  /// Takes over what a merge key names; of several maps the earlier wins, and the map's own entries win over all.
  private mutating func merge(_ value: Node, key: Node) {
    if let mergeRange {
      diagnostics.append(duplicate("<<", at: key.range, first: mergeRange))
      return
    }
    mergeRange = key.range
    let sources: [Node]
    switch value.content {
    case .invalid: return
    case .sequence(let elements): sources = elements
    default: sources = [value]
    }
    for source in sources where !source.isInvalid {
      guard let mapping = source.mapping else {
        diagnostics.append(
          Diagnostic(
            .yamlMerge,
            LocalizedText(
              "the merge key '<<' takes a map or a list of maps",
              de: "der Merge-Schlüssel '<<' nimmt eine Map oder eine Liste von Maps"),
            path: path, range: key.range))
        return
      }
      for entry in mapping.entries where positions[entry.name] == nil {
        positions[entry.name] = entries.count
        entries.append(
          Node.Mapping.Entry(name: entry.name, nameRange: entry.nameRange, value: entry.value, isMerged: true))
      }
    }
  }
}
