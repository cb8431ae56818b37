import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension DocumentFeatures {
  /// The names of the file; `nil` if it is not a recipe, or not valid YAML.
  private var index: SymbolIndex? {
    guard file == .recipe, let yaml = document.yaml else { return nil }
    return SymbolIndex(yaml, inherited: Set(scope.inheritedKeywords.map(\.name)))
  }

  /// All places of the name at an offset.
  func references(at offset: Int, withDefinition: Bool) -> Value {
    guard let index, let found = index.occurrence(at: offset) else { return .null }
    return .list(
      index.occurrences(of: found.symbol).filter { withDefinition || !$0.isDefinition }.map { location($0.range) })
  }

  /// All places of the name at an offset, to be marked while the cursor is there.
  func highlights(at offset: Int) -> Value {
    guard let index, let found = index.occurrence(at: offset) else { return .null }
    return .list(
      index.occurrences(of: found.symbol).map { place in
        // LSP 3.17, `DocumentHighlightKind`: 3 writes, 2 reads.
        ["range": range(place.range), "kind": place.isDefinition ? 3 : 2]
      })
  }

  // MARK: Renaming

  /// The place of the name at an offset; `null` if there is none that can be renamed.
  ///
  /// - Throws: Where there is one, but it is not this file's to rename.
  func prepareRename(at offset: Int) throws(LanguageServerError) -> Value {
    guard document.yaml != nil || file != .recipe else { throw Self.notYAML }
    guard let index, let found = index.occurrence(at: offset) else { return .null }
    try checkOwnership(of: found.symbol, index)
    return ["range": range(found.range), "placeholder": .string(found.symbol.name)]
  }

  /// The edits that give the name at an offset another form everywhere in the file.
  ///
  /// - Throws: Where the new name cannot be used, is taken, or would mean something else somewhere.
  func rename(at offset: Int, to name: String) throws(LanguageServerError) -> [Value] {
    guard document.yaml != nil || file != .recipe else { throw Self.notYAML }
    guard let index, let found = index.occurrence(at: offset) else {
      throw Self.refusal(.init("there is nothing to rename here", de: "hier lässt sich nichts umbenennen"))
    }
    try checkOwnership(of: found.symbol, index)
    guard name != found.symbol.name else { return [] }
    try check(name, for: found.symbol, index)
    let places = index.occurrences(of: found.symbol)
    try checkMeaning(places, found.symbol, name)
    return places.map { ["range": range($0.range), "newText": .string(name)] }
  }

  private static func refusal(_ message: LocalizedText) -> LanguageServerError {
    LanguageServerError(.requestFailed, message)
  }

  private static var notYAML: LanguageServerError {
    refusal(
      .init(
        "the file is not valid YAML; fix that first", de: "die Datei ist so kein YAML; behebe zuerst das"))
  }

  private func checkOwnership(of symbol: SymbolIndex.Symbol, _ index: SymbolIndex) throws(LanguageServerError) {
    let name = symbol.name
    if case .keyword = symbol, let origin = scope.inheritedKeywords.first(where: { $0.name == name }) {
      throw Self.refusal(
        .init(
          "the keyword '\(name)' is the catalog's (\(origin.path)); the prompts there use it under this name",
          de: "das Schlüsselwort '\(name)' gehört dem Katalog (\(origin.path)); die Prompts dort verwenden es unter "
            + "diesem Namen"))
    }
    guard index.occurrences(of: symbol).contains(where: \.isDefinition) else {
      if case .variable = symbol {
        throw Self.refusal(
          .init(
            "'\(name)' is what an item is called without 'as'; write 'as: \(name)' to give it a name",
            de: "'\(name)' heißt ein Element ohne 'as'; 'as: \(name)' gibt ihm einen Namen"))
      }
      throw Self.refusal(
        .init("'\(name)' is not defined in this file", de: "'\(name)' ist in dieser Datei nicht festgelegt"))
    }
  }

  private func check(
    _ name: String, for symbol: SymbolIndex.Symbol, _ index: SymbolIndex
  ) throws(LanguageServerError) {
    let role: IdentifierName.Role?
    switch symbol {
    case .step: role = .step
    case .input: role = .input
    case .variable: role = .loopVariable
    case .keyword: role = nil
    }
    if let role {
      if name.isEmpty { throw Self.refusal(.init("the name is empty", de: "der Name ist leer")) }
      if let problem = IdentifierName.problem(with: name, as: role) { throw Self.refusal(problem.message) }
    } else if !KeywordName.isValid(name) {
      throw Self.refusal(
        .init(
          "'\(name)' is not a name for a keyword: it begins with a letter or '_' and has letters, digits, '_' and '-' only",
          de: "'\(name)' ist kein Name für ein Schlüsselwort: er beginnt mit einem Buchstaben oder '_' und hat nur "
            + "Buchstaben, Ziffern, '_' und '-'"))
    }
    if case .variable = symbol, PlanVariables.reserved.contains(name) {
      throw Self.refusal(
        .init("'\(name)' is a name that every recipe has", de: "'\(name)' ist ein Name, den jedes Rezept hat"))
    }
    let other = symbol.renamed(name)
    let isInherited = scope.inheritedKeywords.contains { other == .keyword($0.name) }
    if isInherited || !index.occurrences(of: other).isEmpty {
      throw Self.refusal(.init("there is a '\(name)' already", de: "es gibt schon ein '\(name)'"))
    }
  }

  /// Applies the edits to a copy and looks whether the new name means the same in every place.
  private func checkMeaning(
    _ places: [SymbolIndex.Occurrence], _ symbol: SymbolIndex.Symbol, _ name: String
  ) throws(LanguageServerError) {
    var bytes = document.buffer.bytes
    for place in places.reversed() { bytes.replaceSubrange(place.range, with: name.utf8) }
    let source = SourceText(path: document.path, bytes: bytes)
    let inherited = Set(scope.inheritedKeywords.map(\.name))
    let changed = YAMLDocument.parse(source).document.map { SymbolIndex($0, inherited: inherited) }
    let now = Set((changed?.occurrences(of: symbol.renamed(name)) ?? []).map(\.range.lowerBound))
    let distance = name.utf8.count - symbol.name.utf8.count
    for (number, place) in places.enumerated() where !now.contains(place.range.lowerBound + number * distance) {
      let line = buffer.line(of: place.range.lowerBound) + 1
      throw Self.refusal(
        .init(
          "'\(name)' would mean something else in line \(line)",
          de: "'\(name)' hiesse in Zeile \(line) etwas anderes"))
    }
    if now.count != places.count {
      throw Self.refusal(
        .init("'\(name)' is used for something else already", de: "'\(name)' wird schon für anderes gebraucht"))
    }
  }
}
