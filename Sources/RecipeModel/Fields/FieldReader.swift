package import Expressions
import Foundation
package import Localization
package import RecipeSyntax
import Schemas

/// Reads typed fields out of a document's nodes and collects every problem it meets.
///
/// Each reader returns `nil` for a node that was reported, now or earlier, so that one mistake is one diagnostic.
package final class FieldReader {
  package let document: YAMLDocument
  /// The present, which tells what has passed.
  package let now: Timestamp
  package private(set) var diagnostics: [Diagnostic] = []
  private var reported: Set<Report> = []
  private var comparisonsLeft = 30_000

  /// What tells two diagnostics apart: a value that a kind of recipe uses in several steps is checked in each of them.
  private struct Report: Hashable {
    var code: Diagnostic.Code
    var path: String
    var range: SourceRange?
    var message: LocalizedText
  }

  /// The time by the computer's clock.
  package static let clock: @Sendable () -> Timestamp = {
    Timestamp(seconds: Int64(Date().timeIntervalSince1970))
  }

  package init(_ document: YAMLDocument, now: Timestamp = FieldReader.clock()) {
    self.document = document
    self.now = now
  }

  package var path: String { document.source.path }

  // MARK: Reporting

  package func report(_ diagnostic: Diagnostic) {
    let report = Report(
      code: diagnostic.code, path: diagnostic.path, range: diagnostic.range, message: diagnostic.message)
    guard reported.insert(report).inserted else { return }
    diagnostics.append(diagnostic)
  }

  /// The candidate closest to a name.
  ///
  /// A file has a budget of comparisons, so that one with thousands of unknown names is still checked in an instant; the
  /// problems beyond it come without a suggestion.
  package func suggestion(for name: String, among candidates: some Collection<String>) -> String? {
    guard comparisonsLeft >= candidates.count else { return nil }
    comparisonsLeft -= candidates.count
    return Suggestion.closest(to: name, among: candidates)
  }

  package func report(
    _ code: Diagnostic.Code, _ message: LocalizedText, at range: SourceRange?, suggestion: String? = nil,
    related: [Diagnostic.Related] = [], severity: Diagnostic.Severity = .error
  ) {
    let tail = suggestion.map { Suggestion.text(suggesting: $0) } ?? LocalizedText(verbatim: "")
    self.report(
      Diagnostic(
        code, message + tail, path: path, range: range, severity: severity, suggestion: suggestion, related: related))
  }

  /// Reports that a node has the wrong type.
  package func mismatch(_ node: Node, _ field: String, wanted: LocalizedText) {
    guard !node.isInvalid else { return }
    let found = SchemaType(of: node.value).name
    var hint = LocalizedText(verbatim: "")
    if node.scalar?.style == .plain, wanted == SchemaType.string.name, !node.isNull, let text = node.scalar?.text {
      hint = LocalizedText("; put it in quotes: \"\(text)\"", de: "; in Anführungszeichen setzen: \"\(text)\"")
    }
    report(
      .wrongType,
      LocalizedText(
        "'\(field)' must be \(wanted.english), but is \(found.english)",
        de: "'\(field)' muss \(wanted.german) sein, ist aber \(found.german)") + hint,
      at: node.range)
  }

  // MARK: Maps

  /// The map of a node; unknown keys are reported with the known one that is closest.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - field: What the node is, for messages.
  ///   - keys: The known keys; `nil` where every key may stand.
  package func map(_ node: Node, _ field: String, keys: [String]?) -> Node.Mapping? {
    guard let mapping = node.mapping else {
      mismatch(node, field, wanted: SchemaType.object.name)
      return nil
    }
    if let keys {
      for entry in mapping.entries where !keys.contains(entry.name) {
        let message = LocalizedText(
          "unknown key '\(entry.name)' in '\(field)'", de: "unbekannter Schlüssel '\(entry.name)' in '\(field)'")
        if let form = ForeignWords.form(of: entry.name, among: keys) {
          report(.unknownKey, message + LocalizedText(verbatim: "; ") + form, at: entry.nameRange)
          continue
        }
        let near = suggestion(for: entry.name, among: keys)
        let list = near == nil && !keys.isEmpty && keys.count <= 40 ? keys.joined(separator: ", ") : nil
        report(
          .unknownKey,
          message
            + (list.map { LocalizedText("; known are \($0)", de: "; bekannt sind \($0)") }
              ?? LocalizedText(verbatim: "")),
          at: entry.nameRange, suggestion: near)
      }
    }
    return mapping
  }

  /// The map of a node whose keys are defined; unknown keys and missing ones are reported.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - field: What the node is, for messages.
  ///   - definition: The keys.
  ///   - place: Where a missing key is reported; the map's first key where it is absent.
  package func map(
    _ node: Node, _ field: String, _ definition: MappingDefinition, missingAt place: SourceRange? = nil
  ) -> Node.Mapping? {
    guard let mapping = map(node, field, keys: definition.isOpen ? nil : definition.keyNames) else { return nil }
    for key in definition.keys where key.isRequired && mapping[key.name] == nil {
      report(
        .missingKey,
        LocalizedText("'\(field)' needs the key '\(key.name)'", de: "'\(field)' fehlt der Schlüssel '\(key.name)'"),
        at: place ?? mapping.entries.first?.nameRange ?? node.range)
    }
    return mapping
  }

  /// The elements of a list.
  package func list(_ node: Node, _ field: String) -> [Node]? {
    guard let elements = node.sequence else {
      mismatch(node, field, wanted: SchemaType.array.name)
      return nil
    }
    return elements
  }

  // MARK: Scalars

  /// A text.
  package func string(_ node: Node, _ field: String) -> String? {
    guard let text = node.string else {
      mismatch(node, field, wanted: SchemaType.string.name)
      return nil
    }
    return text
  }

  /// A text with its place; an empty one is reported.
  package func name(_ node: Node, _ field: String) -> Located<String>? {
    guard let text = string(node, field) else { return nil }
    guard !text.isEmpty else {
      report(
        .invalidValue, LocalizedText("'\(field)' must not be empty", de: "'\(field)' darf nicht leer sein"),
        at: node.range)
      return nil
    }
    return Located(text, at: node.range)
  }

  /// A truth value.
  package func bool(_ node: Node, _ field: String) -> Bool? {
    if case .bool(let value)? = node.scalar?.value { return value }
    mismatch(node, field, wanted: SchemaType.boolean.name)
    return nil
  }

  /// An integer within bounds.
  package func integer(_ node: Node, _ field: String, in bounds: ClosedRange<Int>) -> Int? {
    guard case .int(let number)? = node.scalar?.value else {
      mismatch(node, field, wanted: SchemaType.integer.name)
      return nil
    }
    guard let value = Int(exactly: number), bounds.contains(value) else {
      report(
        .invalidValue,
        LocalizedText(
          "'\(field)' must lie between \(bounds.lowerBound) and \(bounds.upperBound)",
          de: "'\(field)' muss zwischen \(bounds.lowerBound) und \(bounds.upperBound) liegen"),
        at: node.range)
      return nil
    }
    return value
  }

  /// A number within bounds.
  package func number(_ node: Node, _ field: String, in bounds: ClosedRange<Double>) -> Double? {
    let value: Double
    switch node.scalar?.value {
    case .int(let number)?: value = Double(number)
    case .double(let number)?: value = number
    default:
      mismatch(node, field, wanted: SchemaType.number.name)
      return nil
    }
    guard bounds.contains(value) else {
      report(
        .invalidValue,
        LocalizedText(
          "'\(field)' must lie between \(bounds.lowerBound.shortText) and \(bounds.upperBound.shortText)",
          de: "'\(field)' muss zwischen \(bounds.lowerBound.shortText) und \(bounds.upperBound.shortText) liegen"),
        at: node.range)
      return nil
    }
    return value
  }

  /// A number of bytes within bounds: `512M`, `2G` (of 1024), or a number.
  package func bytes(_ node: Node, _ field: String, in bounds: ClosedRange<Int>) -> Int? {
    guard case .string(let text)? = node.scalar?.value else { return integer(node, field, in: bounds) }
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    var digits = text[...]
    if digits.hasSuffix("B") { digits = digits.dropLast() }
    if digits.hasSuffix("i") { digits = digits.dropLast() }
    if let unit = digits.last.flatMap({ units[$0] }), let count = Int(digits.dropLast()), count >= 0,
      bounds.contains(count.multipliedReportingOverflow(by: 1 << unit).partialValue),
      !count.multipliedReportingOverflow(by: 1 << unit).overflow
    {
      return count << unit
    }
    let (mebibytes, gibibytes) = (bounds.upperBound >> 20, bounds.upperBound >> 30)
    let upper = gibibytes << 30 == bounds.upperBound ? "\(gibibytes)G" : "\(mebibytes)M"
    report(
      .invalidValue,
      LocalizedText(
        "'\(field)' must be a size such as 512M or 2G, between \(bounds.lowerBound >> 20)M and \(upper)",
        de: "'\(field)' muss eine Größe wie 512M oder 2G sein, zwischen \(bounds.lowerBound >> 20)M und "
          + "\(upper)"),
      at: node.range)
    return nil
  }

  /// A duration in seconds: `10s`, `1m30s`, or a number of seconds.
  package func duration(_ node: Node, _ field: String, allowsZero: Bool = false) -> Double? {
    let seconds: Double?
    switch node.scalar?.value {
    case .int(let number)?: seconds = number >= 0 ? Double(number) : nil
    case .double(let number)?: seconds = number >= 0 ? number : nil
    case .string(let text)?: seconds = DurationText.seconds(text)
    default:
      mismatch(node, field, wanted: LocalizedText("a duration such as 10s", de: "eine Dauer wie 10s"))
      return nil
    }
    if seconds == 0, !allowsZero {
      report(
        .invalidDuration,
        LocalizedText(
          "'\(field)' must be longer than 0; the shortest is 1ms",
          de: "'\(field)' muss länger als 0 sein; am kürzesten ist 1ms"),
        at: node.range)
      return nil
    }
    guard let seconds, seconds <= DurationText.longest else {
      report(
        .invalidDuration,
        LocalizedText(
          "'\(field)' is no duration; write 500ms, 10s, 1m30s, 2h, 1d or a number of seconds",
          de: "'\(field)' ist keine Dauer; möglich sind 500ms, 10s, 1m30s, 2h, 1d oder eine Anzahl Sekunden"),
        at: node.range)
      return nil
    }
    return seconds
  }

  /// One of a few words.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: Node, _ field: String, of type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    let known = Choice.allCases.map(\.rawValue)
    // `true` and numbers are not words of a list in quotes either.
    let isOther = node.string == nil && node.scalar.map { !known.contains($0.text) && !node.isNull } ?? false
    guard let text = isOther ? node.scalar?.text : string(node, field) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    report(
      .invalidValue,
      LocalizedText(
        "'\(field)' must be one of \(known.joined(separator: ", "))",
        de: "'\(field)' muss eines von \(known.joined(separator: ", ")) sein"),
      at: node.range, suggestion: suggestion(for: text, among: known))
    return nil
  }

  /// A text, or a list of texts.
  package func strings(_ node: Node, _ field: String) -> [Located<String>]? {
    if node.string != nil { return name(node, field).map { [$0] } }
    guard let elements = node.sequence else {
      mismatch(
        node, field, wanted: LocalizedText("a string or a list of strings", de: "ein Text oder eine Liste von Texten"))
      return nil
    }
    return elements.enumerated().compactMap { name($1, "\(field)[\($0)]") }
  }
}
