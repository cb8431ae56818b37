package import Expressions
package import Foundation
import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension CatalogStore {
  /// The most bytes of a file to be imported.
  package static let importLimit = 64 << 20

  /// Imports the JSON form; all of it or nothing.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - replaces: Whether what is in the catalog goes; otherwise it stays, and nothing with the id of something that is there
  ///     is taken.
  ///   - readsExpressions: Whether `{{ }}` of presets that say so are expressions.
  ///   - isTrial: Whether nothing is written.
  package func importCatalog(
    _ bytes: [UInt8], replaces: Bool = false, readsExpressions: Bool = false, isTrial: Bool = false
  ) throws(CatalogError) -> ImportResult {
    let content = try ExchangeReading(bytes).content
    return try change { (snapshot) throws(CatalogError) in
      if !replaces, try isKnown(content, snapshot) {
        return (CatalogChanges(), ImportResult(counts: [], remarks: content.remarks, files: []))
      }
      var changes = CatalogChanges()
      var taken = Set(snapshot.files.values.filter { $0.kind != .folder }.map { $0.name.lowercased() })
      if replaces {
        for path in snapshot.texts.keys { changes.remove(path) }
        taken = Set(snapshot.bundled.map { String($0.dropLast(5)).lowercased() })
      } else {
        try Self.checkIDs(content, snapshot)
        taken.formUnion(snapshot.folders.filter { !snapshot.isBundled(.folder($0)) }.map { $0.lowercased() })
      }
      let layout = ExchangeLayout(content, taken: taken, readsExpressions: readsExpressions)
      for (path, text) in layout.files { changes.write(path, text) }
      // What the files give is read back, so that what they have no place for is noticed.
      var made = CatalogSnapshot(texts: layout.files)
      made.language = language.rawValue
      if let problem = made.problems.first {
        throw CatalogError(
          .broken,
          LocalizedText("a text cannot be written as a file: ", de: "ein Text lässt sich nicht als Datei schreiben: ")
            + problem.message)
      }
      let objects = ExchangeWriting(made).objects
      var record = ExchangeRecord(content, objects, before: replaces ? ExchangeRecord() : record)
      if snapshot.texts.isEmpty || replaces { record.settle(objects) }
      changes.write(Exchange.file, String(decoding: record.json.json(pretty: true), as: UTF8.self) + "\n")
      let result = ImportResult(
        counts: Exchange.Section.allCases.map { ($0.rawValue, content[$0].count) }, remarks: content.remarks,
        files: layout.files.keys.sorted())
      return (isTrial ? CatalogChanges() : changes, result)
    }
  }

  /// The JSON form of the catalog, what comes with Sous left out.
  package func exportCatalog(now: Date) throws(CatalogError) -> Value {
    let snapshot = try snapshot()
    if let problem = snapshot.problems.first(where: { $0.severity == .error }) {
      throw CatalogError(.broken, LocalizedText(verbatim: problem.path + ": ") + problem.message)
    }
    return record.export(ExchangeWriting(snapshot).objects, now: Self.stamp(now))
  }

  /// The text of what ``exportCatalog(now:)`` gives, with all digits of its numbers.
  package static func text(of export: Value) -> [UInt8] { LongNumbers.restored(export.json(pretty: true) + [0x0A]) }

  private var record: ExchangeRecord {
    guard let source = try? SourceText.read(folder + "/" + Exchange.file, limit: Self.importLimit),
      let json = try? Value(json: source.bytes)
    else { return ExchangeRecord() }
    return ExchangeRecord(json)
  }

  /// Whether all of an import is in the catalog already and says the same there.
  private func isKnown(_ content: Exchange.Content, _ snapshot: CatalogSnapshot) throws(CatalogError) -> Bool {
    let made = record.export(ExchangeWriting(snapshot).objects, now: "")
    return Exchange.Section.allCases.allSatisfy { section in
      let objects = (made[section.rawValue]?.listValue ?? []).compactMap(\.mapValue)
      let known = Dictionary(objects.map { ($0["id"]?.stringValue?.uppercased() ?? "", $0) }) { first, _ in first }
      return content[section].allSatisfy { known[$0.id] == $0.fields }
    }
  }

  private static func checkIDs(_ content: Exchange.Content, _ snapshot: CatalogSnapshot) throws(CatalogError) {
    let made = ExchangeWriting(snapshot).objects
    for section in Exchange.Section.allCases {
      let known = Set((made[section] ?? []).compactMap { $0["id"]?.stringValue?.uppercased() })
      guard let object = content[section].first(where: { known.contains($0.id) }) else { continue }
      throw CatalogError(
        .exists,
        "\(object.place): \(object.id) is in the catalog already; --replace puts the import in its place",
        de: "\(object.place): \(object.id) ist schon im Katalog; --replace setzt den Import an seine Stelle")
    }
  }
}
