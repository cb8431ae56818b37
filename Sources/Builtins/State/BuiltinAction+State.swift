import Engine
import Expressions
import Localization
import Neutralisation
import OperatingSystem
import Plans

extension BuiltinAction {
  private static let key: Value = [
    "type": "string", "minLength": 1, "maxLength": 500, "description": "The name of the value, within this recipe.",
  ]

  /// `state.get`: reads what the recipe has kept.
  static let stateGet = BuiltinAction(
    "state.get", .init("Reads a value that the recipe keeps", de: "Liest einen Wert, den das Rezept behält"),
    effect: .read, required: ["key"],
    input: ["key": key, "default": ["description": "The value if none is stored; default: null."]],
    output: [
      "value": ["description": "The value."],
      "found": ["type": "boolean", "description": "Whether one is kept."],
    ]
  ) { call in
    let found = try await call.state { state, recipe in
      try state.value(of: call.text("key"), in: recipe)
    }
    return ["value": found ?? call.input["default"] ?? .null, "found": .bool(found != nil)]
  }

  /// `state.set`: keeps a value.
  static let stateSet = BuiltinAction(
    "state.set", .init("Keeps a value for later runs", de: "Behält einen Wert für spätere Läufe"), effect: .idempotent,
    required: ["key", "value"],
    input: ["key": key, "value": ["description": "The value to store, at most 1 MiB of JSON; null to store nothing."]],
    output: [:]
  ) { call in
    let value = call.input["value"] ?? .null
    guard value.jsonSize <= 1 << 20 else {
      throw ActionFailure(
        .invalidInput, LocalizedText("the value is larger than 1 MiB", de: "der Wert ist größer als 1 MiB"))
    }
    try await call.state { state, recipe in
      try state.set(call.text("key"), to: value.isNull ? nil : value, in: recipe)
    }
    return [:]
  }

  /// `state.increment`: counts.
  static let stateIncrement = BuiltinAction(
    "state.increment",
    .init("Adds to a number that the recipe keeps", de: "Zählt zu einer Zahl, die das Rezept behält"), effect: .once,
    required: ["key"],
    input: [
      "key": key, "by": ["type": "integer", "default": 1, "description": "The number to add, which may be negative."],
    ],
    output: ["value": ["type": "integer", "description": "The sum."]],
    verification: { call in
      let sum = try await call.state { state, recipe in
        try state.note(ofCall: call.request.key, in: recipe)
      }
      return sum.map { .done(output: ["value": .int($0)]) } ?? .notDone
    }
  ) { call in
    let amount = call.input["by"]?.intValue ?? 1
    let sum = try await call.state { state, recipe in
      try state.increment(call.text("key"), by: amount, call: call.request.key, in: recipe)
    }
    return ["value": .int(sum)]
  }
}

extension BuiltinCall {
  /// Does something with the recipe's state.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `unsupported` if there is no state, otherwise what the state's failure means.
  func state<Answer: Sendable>(
    _ body: @escaping @Sendable (any RecipeState, String) throws -> Answer
  ) async throws -> Answer {
    let state = try recipeState
    let recipe = request.recipe
    let file = RecipeFile(self)
    return try await BlockingPool.shared.run {
      try file.claim(state)
      return try body(state, recipe)
    }
  }

  /// The state that recipes keep.
  var recipeState: any RecipeState {
    get throws(ActionFailure) {
      guard let state = surroundings.state else {
        throw ActionFailure(
          .unsupported,
          LocalizedText("nothing can be kept without a run log", de: "ohne Laufprotokoll lässt sich nichts speichern"))
      }
      return state
    }
  }
}

extension ActionFailure {
  /// The failure of an action for any error.
  init(of error: any Error) {
    switch error {
    case let error as ActionFailure: self = error
    case let error as StorageFailure: self.init(error)
    case let error as NeutralisationError: self.init(neutralising: error)
    case is CancellationError: self.init(.cancelled, LocalizedText("cancelled", de: "abgebrochen"))
    default: self.init(.io, (error as? any CodedError)?.text ?? LocalizedText(verbatim: "\(error)"))
    }
  }

  /// The failure of an action for an error of the state.
  init(_ failure: StorageFailure) {
    let kind: Kind =
      switch failure.code {
      case .tooLarge: .quota
      case .notANumber: .failed
      case .absent: .notFound
      case .taken: .invalidInput
      default: .io
      }
    self.init(kind, failure.message)
  }
}
