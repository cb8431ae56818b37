import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// Says where the types come from that an expression is checked against.
struct TypeOrigin {
  /// What a step's output is described by.
  struct Output {
    /// The action, with its schema.
    var action: ActionSignature
    /// Where the step names it.
    var uses: SourceRange
    /// The literal schema of a chat step's answer.
    var answer: Node?
  }

  /// What is known of the steps, by their ids.
  var outputs: [String: Output] = [:]
  /// Where the inputs are declared, by their names.
  var inputs: [String: SourceRange] = [:]

  /// What to write if a text goes into the output of a step that is not parsed; `nil` for any other error.
  func hint(to range: Range<Int>, in text: String, _ references: [ExpressionScan.Reference]) -> LocalizedText? {
    let bytes = Array(text.utf8)
    guard let reference = reference(of: range, bytes, references), reference.root == .steps,
      let action = outputs[reference.name]?.action, action.input.view.property("parse") != nil
    else { return nil }
    let fields = Self.fields(bytes, from: reference.range.upperBound, upTo: range.upperBound)
    guard fields.first == "output", fields.count > 1, ["body", "value"].contains(fields[1]) else { return nil }
    return LocalizedText(
      "; 'parse: json' in 'with' of the step '\(reference.name)' reads it as JSON",
      de: "; 'parse: json' in 'with' des Schritts '\(reference.name)' liest es als JSON")
  }

  /// The places that explain a wrong type or an unknown field.
  ///
  /// - Parameters:
  ///   - range: What the error is about, as UTF-8 offsets into a text.
  ///   - text: The text.
  ///   - references: What the text refers to.
  ///   - path: The recipe.
  func related(
    to range: Range<Int>, in text: String, _ references: [ExpressionScan.Reference], path: String
  ) -> [Diagnostic.Related] {
    let bytes = Array(text.utf8)
    guard let reference = reference(of: range, bytes, references) else { return [] }
    let fields = Self.fields(bytes, from: reference.range.upperBound, upTo: range.upperBound)
    switch reference.root {
    case .inputs:
      return inputs[reference.name].map {
        [Diagnostic.Related(LocalizedText("declared here", de: "hier festgelegt"), at: $0, path: path)]
      } ?? []
    case .steps:
      guard let output = outputs[reference.name], fields.first == "output" else { return [] }
      return [self.related(output, Array(fields.dropFirst()), path: path)].compactMap { $0 }
    case .keywords: return []
    }
  }

  private func related(_ output: Output, _ fields: [String], path: String) -> Diagnostic.Related? {
    if let answer = output.answer, let place = self.related(answer, output.action, fields, path: path) { return place }
    var view: SchemaView? = output.action.output.view
    var known: [String] = []
    for field in fields {
      guard let properties = view.map({ ($0.reference ?? $0).properties }),
        let next = properties.first(where: { $0.name == field })?.schema
      else { break }
      known.append(field)
      view = next
    }
    guard let view = view.map({ $0.reference ?? $0 }) else { return nil }
    let action = output.action.name
    if known.count < fields.count, !view.properties.isEmpty {
      let names = view.properties.map(\.name).joined(separator: ", ")
      let what = known.isEmpty ? "" : "'\(known.joined(separator: "."))' "
      return Diagnostic.Related(
        LocalizedText(
          "\(what.isEmpty ? "the output of \(action)" : what + "of the output of \(action)") has \(names)",
          de: "\(what.isEmpty ? "die Ausgabe von \(action)" : what + "der Ausgabe von \(action)") hat \(names)"),
        at: output.uses, path: path)
    }
    guard let types = view.types, !known.isEmpty else { return nil }
    let type = SchemaType.names(types)
    let name = known.joined(separator: ".")
    return Diagnostic.Related(
      LocalizedText(
        "in the output of \(action), '\(name)' is \(type.english)",
        de: "in der Ausgabe von \(action) ist '\(name)' \(type.german)"),
      at: output.uses, path: path)
  }

  /// The reference that an error is about, as a whole or in a field further on in its chain: `steps.a.output.feild`.
  private func reference(
    of range: Range<Int>, _ bytes: [UInt8], _ references: [ExpressionScan.Reference]
  ) -> ExpressionScan.Reference? {
    guard range.upperBound <= bytes.count else { return nil }
    return references.last { reference in
      guard reference.range.lowerBound < range.upperBound, reference.range.upperBound <= bytes.count else {
        return false
      }
      if reference.range.lowerBound >= range.lowerBound { return true }
      return reference.range.upperBound <= range.lowerBound
        && bytes[reference.range.upperBound..<range.lowerBound].allSatisfy {
          $0.isNameByte || $0 == UInt8(ascii: ".")
        }
    }
  }

  /// The place in the schema of an answer that declares a field, or that lists the fields among which it is not.
  private func related(
    _ answer: Node, _ action: ActionSignature, _ fields: [String], path: String
  ) -> Diagnostic.Related? {
    var schema = answer
    for (depth, field) in fields.enumerated() {
      guard let properties = schema.mapping?.entry("properties"), let known = properties.value.mapping else { break }
      guard let entry = known.entry(field) else {
        // What the action itself gives stands beside the answer.
        if depth == 0, action.output.view.properties.contains(where: { $0.name == field }) { return nil }
        let names = known.entries.map(\.name).joined(separator: ", ")
        return Diagnostic.Related(
          LocalizedText("the schema lists \(names)", de: "das Schema nennt \(names)"), at: properties.nameRange,
          path: path)
      }
      if depth == fields.count - 1 || entry.value.mapping?["properties"] == nil {
        return Diagnostic.Related(
          LocalizedText("declared here", de: "hier festgelegt"), at: entry.nameRange, path: path)
      }
      schema = entry.value
    }
    return nil
  }

  /// The field names that follow a position, `.output.total` as `output` and `total`; the one that crosses the end is
  /// the last.
  private static func fields(_ bytes: [UInt8], from start: Int, upTo end: Int) -> [String] {
    var fields: [String] = []
    var index = start
    while index < end, index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      var next = index + 1
      while next < bytes.count, bytes[next].isNameByte { next += 1 }
      fields.append(String(decoding: bytes[index + 1..<next], as: UTF8.self))
      index = next
    }
    return fields
  }
}
