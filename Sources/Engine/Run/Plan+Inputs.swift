public import Expressions
import Localization
public import Plans
import RecipeModel
import RecipeSyntax
import Schemas

extension Plan {
  /// Checks the inputs given for a run and fills in the defaults.
  ///
  /// - Parameter given: Values by name; texts from a command line are to be coerced to the input's type first.
  /// - Returns: A map with every declared input, in source order; an optional input without a value is null.
  /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidInput`` that names every problem.
  public func inputs(from given: [String: Value]) throws(EngineError) -> Value {
    var problems: [LocalizedText] = []
    var map = ValueMap()
    for input in inputs {
      guard let value = given[input.name] ?? input.schema.document["default"] else {
        if input.isRequired {
          problems.append(
            .init(
              "input '\(input.name)' is required: give it with -i \(input.name)=…",
              de: "die Eingabe '\(input.name)' fehlt: mit -i \(input.name)=… angeben"))
        }
        map[input.name] = .null
        continue
      }
      for violation in input.schema.validate(value) {
        let place = violation.path.isEmpty ? input.name : "\(input.name) (\(violation.pathText))"
        problems.append(.init("input '\(place)': ", de: "Eingabe '\(place)': ") + violation.message)
      }
      map[input.name] = input.schema.withWholeNumbers(input.schema.fillingDefaults(value))
    }
    for name in given.keys.sorted() where !inputs.contains(where: { $0.name == name }) {
      problems.append(
        .init("the recipe has no input '\(name)'", de: "das Rezept hat keine Eingabe '\(name)'")
          + Suggestion.text(for: name, among: inputs.map(\.name)))
    }
    guard let first = problems.first else { return .map(map) }
    throw EngineError(
      .invalidInput,
      problems.dropFirst().reduce(first) { $0 + LocalizedText(verbatim: "\n") + $1 })
  }
}
