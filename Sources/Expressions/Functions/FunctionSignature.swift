/// One overload of a function: what it is called on, what it takes and gives.
public struct FunctionSignature: Sendable, Hashable {
  /// The function's name, with its namespace: `size`, `math.abs`. Operators are written `_+_`.
  public var name: String
  /// Whether it is called on a value: `text.size()`. That value is the first parameter then.
  public var isMethod: Bool
  /// The types of the parameters.
  public var parameters: [ValueType]
  /// The type of what it gives.
  public var result: ValueType

  /// Creates a signature.
  public init(_ name: String, isMethod: Bool = false, parameters: [ValueType], result: ValueType) {
    self.name = name
    self.isMethod = isMethod
    self.parameters = parameters
    self.result = result
  }
}

extension FunctionSignature: CustomStringConvertible {
  /// The signature as people read it: `string.contains(string) -> bool`.
  public var description: String {
    var parameters = parameters.map(\.description)
    let receiver = isMethod && !parameters.isEmpty ? parameters.removeFirst() + "." : ""
    return "\(receiver)\(name)(\(parameters.joined(separator: ", "))) -> \(result)"
  }
}
