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
    var faults: [InputFault] = []
    var map = ValueMap()
    for input in inputs {
      guard let value = given[input.name] ?? input.schema.document["default"] else {
        if input.isRequired {
          problems.append(
            .init("input '\(input.name)' is required", de: "die Eingabe '\(input.name)' fehlt"))
          faults.append(InputFault(at: [input.name], .init("is required", de: "fehlt"), isMissing: true))
        }
        map[input.name] = .null
        continue
      }
      for violation in input.schema.validate(value) {
        let place = violation.path.isEmpty ? input.name : "\(input.name) (\(violation.pathText))"
        problems.append(.init("input '\(place)': ", de: "Eingabe '\(place)': ") + violation.message)
        faults.append(InputFault(violation, below: [input.name]))
      }
      map[input.name] = input.schema.withWholeNumbers(input.schema.fillingDefaults(value))
    }
    for name in given.keys.sorted() where !inputs.contains(where: { $0.name == name }) {
      let problem =
        LocalizedText("the recipe has no input '\(name)'", de: "das Rezept hat keine Eingabe '\(name)'")
        + Suggestion.text(for: name, among: inputs.map(\.name))
      problems.append(problem)
      faults.append(InputFault(at: [name], problem))
    }
    guard let first = problems.first else { return .map(map) }
    var error = EngineError(
      .invalidInput,
      problems.dropFirst().reduce(first) { $0 + LocalizedText(verbatim: "\n") + $1 })
    error.faults = faults
    throw error
  }
}
