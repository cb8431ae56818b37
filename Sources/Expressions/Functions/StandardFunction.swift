/// A function of the language: its overloads, and one implementation that distinguishes them by their arguments.
struct StandardFunction: Sendable {
  typealias Unary = @Sendable (inout Frame, Value) throws(Fault) -> Value
  typealias Binary = @Sendable (inout Frame, Value, Value) throws(Fault) -> Value
  typealias Many = @Sendable (inout Frame, [Value]) throws(Fault) -> Value

  enum Implementation: Sendable {
    case unary(Unary)
    case binary(Binary)
    /// Any number of arguments.
    case many(Many)
  }

  /// The types of a function's parameters and of its result, in this order.
  typealias Overload = [ValueType]

  var name: String
  var isMethod: Bool
  var signatures: [FunctionSignature]
  /// How many arguments it takes, the receiver counted in; `nil` for any number.
  var arity: Int?
  var implementation: Implementation
  /// Whether equal arguments give equal results, so that it may be called ahead of evaluation.
  var isPure: Bool
  /// The error that constant arguments always cause; an argument that is not constant is `nil`.
  var constantFault: (@Sendable ([Value?]) -> Fault?)?

  private init(
    _ name: String, isMethod: Bool, _ overloads: [Overload], arity: Int?, _ implementation: Implementation,
    isPure: Bool = true
  ) {
    self.name = name
    self.isMethod = isMethod
    signatures = overloads.compactMap { types in
      types.last.map { FunctionSignature(name, isMethod: isMethod, parameters: types.dropLast(), result: $0) }
    }
    self.arity = arity
    self.implementation = implementation
    self.isPure = isPure
  }

  /// The function with a check of its constant arguments.
  func checking(_ check: @escaping @Sendable ([Value?]) -> Fault?) -> StandardFunction {
    var copy = self
    copy.constantFault = check
    return copy
  }

  /// `name(x)`, or `x.name()` for a method.
  static func unary(
    _ name: String, isMethod: Bool = false, _ overloads: Overload..., body: @escaping Unary
  ) -> StandardFunction {
    StandardFunction(name, isMethod: isMethod, overloads, arity: 1, .unary(body))
  }

  /// `name(x)`, or `x.name()` for a method.
  static func unary(
    _ name: String, isMethod: Bool = false, overloads: [Overload], body: @escaping Unary
  ) -> StandardFunction {
    StandardFunction(name, isMethod: isMethod, overloads, arity: 1, .unary(body))
  }

  /// `name(x, y)`, or `x.name(y)` for a method.
  static func binary(
    _ name: String, isMethod: Bool = false, _ overloads: Overload..., body: @escaping Binary
  ) -> StandardFunction {
    StandardFunction(name, isMethod: isMethod, overloads, arity: 2, .binary(body))
  }

  /// Any other number of arguments: as many as the overloads take, whatever is given if there are none.
  static func many(
    _ name: String, isMethod: Bool = false, _ overloads: Overload..., isPure: Bool = true, body: @escaping Many
  ) -> StandardFunction {
    StandardFunction(
      name, isMethod: isMethod, overloads, arity: overloads.first.map { $0.count - 1 }, .many(body), isPure: isPure)
  }
}

/// The functions of the language by name.
struct FunctionLibrary: Sendable {
  static let standard = FunctionLibrary(
    Operators.functions + Conversions.functions + TextFunctions.functions + CollectionFunctions.functions
      + AggregateFunctions.functions + RegexFunctions.functions + MathFunctions.functions + TimeFunctions.functions
      + CalendarFunctions.functions + OptionalFunctions.functions + EncodingFunctions.functions)

  private var functions: [String: [StandardFunction]] = [:]
  /// The overloads by name.
  private(set) var signatures: [String: [FunctionSignature]] = [:]

  private init(_ all: [StandardFunction]) {
    for function in all {
      functions[function.name, default: []].append(function)
      signatures[function.name, default: []].append(contentsOf: function.signatures)
    }
  }

  /// All names.
  var names: [String] { Array(functions.keys) }

  /// Whether a function is known that is not called on a value.
  func isGlobal(_ name: String) -> Bool { functions[name]?.contains { !$0.isMethod } ?? false }

  /// Whether a function is known that is called on a value.
  func isMethod(_ name: String) -> Bool { functions[name]?.contains(where: \.isMethod) ?? false }

  /// The function to call, by its form and number of arguments (the receiver counted in).
  func function(_ name: String, isMethod: Bool, arity: Int) -> StandardFunction? {
    functions[name]?.first { $0.isMethod == isMethod && ($0.arity == nil || $0.arity == arity) }
  }
}

extension FunctionSignature {
  /// The functions and operators of the language, overload by overload, in the order of their names.
  public static var standard: [FunctionSignature] {
    FunctionLibrary.standard.signatures.sorted { $0.key < $1.key }.flatMap(\.value)
  }
}
