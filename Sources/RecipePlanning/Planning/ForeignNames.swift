import Expressions
import Localization

/// Names and actions of GitHub Actions, and how Sous says the same.
enum ForeignNames {
  private static let functions: [String: LocalizedText] = [
    "always": LocalizedText(
      "a step that always runs at the end has 'finally: true' instead",
      de: "ein Schritt, der am Ende immer läuft, hat stattdessen 'finally: true'"),
    "failure": LocalizedText(
      "steps for a failure are under 'on_failure' of the recipe",
      de: "Schritte für einen Fehlschlag gehören unter 'on_failure' des Rezepts"),
    "success": LocalizedText(
      "a step runs only if the steps before it succeeded; leave it out",
      de: "ein Schritt läuft nur, wenn die Schritte davor gelungen sind; es kann wegfallen"),
    "cancelled": LocalizedText(
      "Sous has no condition for this; a step with 'finally: true' runs after every end",
      de: "dafür hat Sous keine Bedingung; ein Schritt mit 'finally: true' läuft nach jedem Ende"),
    "hashFiles": LocalizedText(
      "'hash.sha256(text)' is the hash of a text", de: "'hash.sha256(text)' ist die Prüfsumme eines Textes"),
  ]

  private static let names: [String: LocalizedText] = [
    "secrets": LocalizedText(
      "write a secret as the whole value, as '{ secret: NAME }'",
      de: "ein Geheimnis ist der ganze Wert, als '{ secret: NAME }'"),
    "github": LocalizedText(
      "values of the caller are 'inputs.NAME', values of the event of a trigger 'event.NAME'",
      de: "Werte des Aufrufs heißen 'inputs.NAME', Werte des Ereignisses eines Auslösers 'event.NAME'"),
    "env": LocalizedText(
      "variables are for programs: write them as 'env: { NAME: value }' of the recipe, or as 'environment' in 'with' of 'exec'; "
        + "expressions use 'inputs.NAME'",
      de:
        "Variablen sind für Programme: sie stehen als 'env: { NAME: Wert }' im Rezept oder als 'environment' in 'with' von "
        + "'exec'; Ausdrücke nehmen 'inputs.NAME'"),
    "needs": LocalizedText(
      "the output of an earlier step is 'steps.ID.output'",
      de: "die Ausgabe eines früheren Schritts ist 'steps.ID.output'"),
  ]

  private static let status = LocalizedText(
    "the result of a step is 'steps.ID.status'", de: "das Ergebnis eines Schritts ist 'steps.ID.status'")

  /// How Sous says a name of an expression that it does not know; `nil` for other problems and names.
  ///
  /// - Parameters:
  ///   - error: The problem.
  ///   - text: The text in which the range of the problem counts bytes.
  static func hint(to error: ExpressionError, in text: String) -> LocalizedText? {
    let bytes = Array(text.utf8)
    guard let range = error.range, range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
    let name = String(decoding: bytes[range], as: UTF8.self)
    if error.code == .unknownField {
      let isOfStep = String(decoding: bytes[..<range.lowerBound], as: UTF8.self).contains("steps.")
      return isOfStep && ["outcome", "conclusion"].contains(name) ? status : nil
    }
    guard error.code == .unknownName else { return nil }
    let isCalled = bytes[range.upperBound...].first { $0 > 0x20 } == UInt8(ascii: "(")
    return isCalled ? functions[name] : names[name]
  }

  /// The way to do without an action that a repository offers, as `actions/checkout@v4`; `nil` for other actions.
  static func hint(toAction action: String) -> LocalizedText? {
    guard action.contains("/"), !action.hasSuffix(".yaml"), !action.hasSuffix(".yml") else { return nil }
    return LocalizedText(
      "Sous runs no actions of code hosts; programs work in your folders, and 'uses: exec' with 'with: { command: […], "
        + "folder: … }' runs one",
      de:
        "Sous führt keine Aktionen von Code-Hosts aus; Programme arbeiten in Ihren Ordnern, und 'uses: exec' mit 'with: { "
        + "command: […], folder: … }' führt eines aus")
  }
}
