internal import Localization

/// Why an evaluation failed; one pointer, so that the way of success stays short.
final class Fault: Error {
  let code: ExpressionError.Code
  let message: LocalizedText
  /// UTF-8 offsets into the source; `nil` as long as only the function that failed knows of it.
  let range: Range<Int>?

  init(_ code: ExpressionError.Code, _ message: LocalizedText, range: Range<Int>? = nil) {
    self.code = code
    self.message = message
    self.range = range
  }

  /// The fault with a place, unless it has one already.
  func at(_ range: Range<Int>) -> Fault {
    self.range == nil ? Fault(code, message, range: range) : self
  }

  /// Whether `||` and `&&` must not swallow the fault.
  var isFinal: Bool { code == .limit }

  var error: ExpressionError { ExpressionError(code, message, range: range) }

  // MARK: Kinds

  static func evaluation(_ message: LocalizedText) -> Fault { Fault(.evaluation, message) }

  /// The function has no overload for its arguments; the call replaces it by ``noOverload(_:_:)``.
  static let noOverload = Fault(
    .evaluation, LocalizedText("no such overload", de: "keine solche Überladung"))

  static func noOverload(_ function: String, _ arguments: [Value]) -> Fault {
    let types = arguments.map(\.typeName).joined(separator: ", ")
    let name = OperatorName.display(function)
    return evaluation(
      LocalizedText("'\(name)' does not take (\(types))", de: "'\(name)' nimmt kein (\(types))"))
  }

  static func overflow(_ type: String) -> Fault {
    evaluation(LocalizedText("the result does not fit into \(type)", de: "Das Ergebnis passt nicht in \(type)"))
  }

  static let divisionByZero = evaluation(LocalizedText("division by zero", de: "Division durch null"))

  static func noSuchKey(_ key: String) -> Fault {
    let shown = key.utf8.count > 80 ? String(key.unicodeScalars.prefix(40)) + "…" : key
    return evaluation(LocalizedText("no such key: '\(shown)'", de: "kein solcher Schlüssel: '\(shown)'"))
  }

  static func indexOutOfRange(_ index: Int64) -> Fault {
    evaluation(LocalizedText("index out of range: \(index)", de: "Index außerhalb des Bereichs: \(index)"))
  }

  static func notBoolean(_ value: Value) -> Fault {
    evaluation(
      LocalizedText(
        "a bool is wanted here, not \(value.typeName)", de: "Hier wird bool verlangt, nicht \(value.typeName)"))
  }

  static func cannotConvert(_ value: Value, to type: String) -> Fault {
    evaluation(
      LocalizedText(
        "this \(value.typeName) cannot be converted to \(type)",
        de: "Dieser \(value.typeName) lässt sich nicht in \(type) wandeln"))
  }

  static let outOfCost = Fault(
    .limit,
    LocalizedText(
      "the evaluation exceeds its cost limit; the data is too large or the expression too expensive",
      de: "Die Auswertung überschreitet ihre Kostengrenze; die Daten sind zu groß oder der Ausdruck zu aufwendig"))

  static let tooLarge = Fault(
    .limit,
    LocalizedText(
      "the result is too large to be written out", de: "Das Ergebnis ist zu groß, um es auszuschreiben"))

  static let tooDeep = Fault(
    .limit, LocalizedText("values nest too deeply", de: "Werte sind zu tief verschachtelt"))
}
