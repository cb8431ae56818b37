import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// What a change of the catalog has done.
package struct CatalogResult: Sendable {
  /// The name of what was changed, as it is now; folders end in `/`.
  package var name: String
  /// The files outside of the catalog in which names were changed.
  package var rewritten: [String] = []
  /// All that was removed or moved: old names.
  package var affected: [String] = []
}

extension CatalogStore {
  /// Moves something to another folder, or gives it another file name; whatever names it is changed as well.
  ///
  /// - Parameters:
  ///   - name: What.
  ///   - target: The new name, or a folder (with `/` at its end, or one that is there).
  ///   - recursive: Whether a folder takes along what is in it.
  /// - Throws: ``CatalogError``: `not_found`, `exists`, `referenced` where a name cannot be changed where it stands.
  package func move(_ name: String, to target: String, recursive: Bool) throws(CatalogError) -> CatalogResult {
    try change { (snapshot) throws(CatalogError) in
      let place = try snapshot.find(name)
      let new = try Self.destination(of: place, target, snapshot)
      var renamed: [CatalogSnapshot.Place: CatalogSnapshot.Place] = [place: new]
      if case .folder(let old) = place {
        let inner = snapshot.descendants(of: old)
        guard recursive || inner.isEmpty else { throw Self.notEmpty(old, inner.count) }
        guard new.name != old, !(new.name + "/").hasPrefix(old + "/") else {
          throw CatalogError(
            .invalid, "'\(old)' cannot be moved into itself", de: "'\(old)' lässt sich nicht in sich selbst verschieben"
          )
        }
        for place in inner {
          let moved = new.name + place.name.dropFirst(old.count)
          if case .folder = place { renamed[place] = .folder(moved) } else { renamed[place] = .file(moved) }
        }
      }
      var changes = CatalogChanges()
      var texts: [String: String] = [:]
      for (old, _) in renamed {
        if let file = snapshot.file(old) { texts[old.path] = file.document.source.text }
      }
      try rename(renamed, snapshot, &texts, &changes)
      for (old, new) in renamed {
        guard let text = texts.removeValue(forKey: old.path) else { continue }
        changes.remove(old.path)
        changes.write(new.path, text)
        Self.keepAway(old.path, &changes)
      }
      for (path, text) in texts { changes.write(path, text) }
      let answer = CatalogResult(
        name: new.label, rewritten: changes.rewritten, affected: renamed.keys.map(\.label).sorted())
      return (changes, answer)
    }
  }

  /// Removes something.
  ///
  /// - Parameters:
  ///   - name: What.
  ///   - recursive: Whether a folder takes along what is in it.
  /// - Throws: ``CatalogError``: `not_found`, or `referenced` with each place that names it. Items that point to a preset go
  ///   with it.
  package func delete(
    _ name: String, recursive: Bool, ifVersion version: String? = nil
  ) throws(CatalogError) -> CatalogResult {
    try change { (snapshot) throws(CatalogError) in
      let place = try snapshot.find(name)
      try snapshot.require(version, of: place)
      guard place != .folder("") else {
        throw CatalogError(.invalid, "name what is to be deleted", de: "nennen, was gelöscht werden soll")
      }
      var removed: Set<CatalogSnapshot.Place> = [place]
      if case .folder(let folder) = place {
        let inner = snapshot.descendants(of: folder)
        guard recursive || inner.isEmpty else { throw Self.notEmpty(folder, inner.count) }
        removed.formUnion(inner)
      }
      // A preset takes its items along (also those elsewhere).
      let references = snapshot.references()
      for reference in references {
        guard let path = reference.catalogPath, let file = snapshot.files[path], file.kind == .item,
          removed.contains(reference.target)
        else { continue }
        removed.insert(.file(file.name))
      }
      let paths = Set(removed.map(\.path))
      let recipes = try recipeReferences(to: Array(removed))
      let left = (references.filter { !paths.contains($0.catalogPath ?? "") } + recipes)
        .filter { removed.contains($0.target) }
      guard left.isEmpty else { throw Self.referenced(place.label, left) }
      var changes = CatalogChanges()
      for path in paths {
        if snapshot.texts[path] != nil { changes.remove(path) }
        Self.keepAway(path, &changes)
      }
      return (changes, CatalogResult(name: place.label, affected: removed.map(\.label).sorted()))
    }
  }

  /// A prompt that comes with Sous and was deleted or moved does not come back.
  static func keepAway(_ path: String, _ changes: inout CatalogChanges) {
    if BundledPrompts.files[path] != nil { changes.offered.insert(BundledPrompts.offeredName(of: path)) }
  }

  /// Changes names wherever they stand.
  private func rename(
    _ renamed: [CatalogSnapshot.Place: CatalogSnapshot.Place], _ snapshot: CatalogSnapshot,
    _ texts: inout [String: String],
    _ changes: inout CatalogChanges
  ) throws(CatalogError) {
    let recipes = try recipeReferences(to: Array(renamed.keys))
    let all = (snapshot.references() + recipes).filter { renamed[$0.target] != nil }
    let fixed = all.filter { !$0.isPlain }
    guard fixed.isEmpty else { throw Self.referenced(all.first?.target.label ?? "", fixed) }
    for (path, references) in Dictionary(grouping: all, by: \.path) {
      guard let first = references.first else { continue }
      let edits = references.compactMap { reference in
        renamed[reference.target].map { (reference.range, Self.spelled($0, like: reference)) }
      }
      let text = FileEdit.replacing(edits.map { (range: $0.0, text: $0.1) }, in: first.source)
      if let catalogPath = first.catalogPath { texts[catalogPath] = text } else { changes.others[path] = text }
    }
  }

  private static func spelled(_ place: CatalogSnapshot.Place, like reference: CatalogReference) -> String {
    if case .folder(let name) = place { return name + "/" }
    let suffix = PromptCatalog.split(reference.name).language.map { "." + $0.rawValue } ?? ""
    let isBare = reference.catalogPath != nil || place.name.contains("/")
    return (isBare ? "" : "./") + place.name + suffix
  }

  private static func destination(
    of place: CatalogSnapshot.Place, _ target: String, _ snapshot: CatalogSnapshot
  ) throws(CatalogError) -> CatalogSnapshot.Place {
    guard place != .folder("") else {
      throw CatalogError(.invalid, "name what is to be moved", de: "nennen, was verschoben werden soll")
    }
    let last = place.name.split(separator: "/").last.map(String.init) ?? place.name
    var name = target.hasPrefix("./") ? String(target.dropFirst(2)) : target
    if name.isEmpty || name == "/" || name == "." {
      name = last
    } else if name.hasSuffix("/") {
      name += last
    } else if case .folder(let folder)? = try? snapshot.find(name) {
      name = folder + "/" + last
    }
    try CatalogNames.check(name)
    let new: CatalogSnapshot.Place = if case .folder = place { .folder(name) } else { .file(name) }
    guard new != place, snapshot.file(new) == nil, !(new == .folder(name) && snapshot.folders.contains(name)) else {
      throw CatalogError(.exists, "'\(new.label)' is there already", de: "'\(new.label)' gibt es schon")
    }
    return new
  }

  private static func notEmpty(_ name: String, _ count: Int) -> CatalogError {
    CatalogError(
      .invalid,
      "'\(name)/' holds \(count == 1 ? "an entry" : "\(count) entries"); --recursive takes along what is in it",
      de: "'\(name)/' enthält \(count == 1 ? "einen Eintrag" : "\(count) Einträge"); --recursive nimmt alles mit")
  }

  private static func referenced(_ name: String, _ references: [CatalogReference]) -> CatalogError {
    let places =
      references.prefix(20).map { "\n  \($0.place): \($0.name)" }.joined()
      + (references.count > 20 ? "\n  …" : "")
    return CatalogError(
      .referenced,
      "'\(name)' is still named in \(references.count == 1 ? "a file" : "\(references.count) places"):\(places)",
      de: "'\(name)' wird noch genannt:\(places)")
  }
}

extension CatalogSnapshot.Place {
  /// The name as people are shown it; folders end in `/`.
  package var label: String {
    if case .folder(let name) = self { name + "/" } else { name }
  }
}
