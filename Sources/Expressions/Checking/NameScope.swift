/// Finds out what names mean, for the checker and the compiler alike.
struct NameScope {
  let environment: Environment
  /// The names that macros introduced, innermost last.
  var locals: [String] = []

  /// The root of a chain of names.
  enum Meaning {
    /// A name a macro introduced: its position in ``locals``.
    case local(Int)
    /// A declared variable, named by so many components of the chain.
    case variable(String, ValueType, length: Int)
    /// All keywords: `keywords`.
    case keywords
    case keyword(String)
    /// A type as a value: `int`, `google.protobuf.Timestamp`.
    case type(ValueType, length: Int)
    case unknown
  }

  init(_ environment: Environment) {
    self.environment = environment
  }

  /// The meaning of a chain of names; the longest declared name wins.
  func meaning(of components: [SyntaxNode.Name], isAbsolute: Bool) -> Meaning {
    guard let root = components.first?.text else { return .unknown }
    if !isAbsolute, let position = locals.lastIndex(of: root) { return .local(position) }
    let prefixes = isAbsolute ? [""] : containerPrefixes
    for length in stride(from: components.count, through: 1, by: -1) {
      let name = length == 1 ? root : components.prefix(length).map(\.text).joined(separator: ".")
      for prefix in prefixes {
        if let type = environment.variables[prefix + name] { return .variable(prefix + name, type, length: length) }
      }
    }
    if environment.keywords.contains(root) { return .keyword(root) }
    if root == "keywords" { return .keywords }
    for length in stride(from: min(components.count, 3), through: 1, by: -1) {
      let name = length == 1 ? root : components.prefix(length).map(\.text).joined(separator: ".")
      if let type = ValueType(named: name) { return .type(type, length: length) }
    }
    return .unknown
  }

  /// The prefixes a name may have, longest first: `a.b.`, `a.`, and none.
  var containerPrefixes: [String] {
    if environment.container.isEmpty { return [""] }
    var parts = environment.container.split(separator: ".")
    var prefixes: [String] = []
    while !parts.isEmpty {
      prefixes.append(parts.joined(separator: ".") + ".")
      parts.removeLast()
    }
    return prefixes + [""]
  }

  /// The function that `target.name(…)` calls where `target` is a namespace, `nil` if it is a value.
  func namespacedFunction(_ target: SyntaxNode, _ name: String, isKnown: (String) -> Bool) -> String? {
    guard let (components, isAbsolute) = target.qualifiedName, let root = components.first?.text,
      isAbsolute || !locals.contains(root)
    else { return nil }
    let qualified = components.map(\.text).joined(separator: ".") + "." + name
    for prefix in isAbsolute ? [""] : containerPrefixes where isKnown(prefix + qualified) {
      return prefix + qualified
    }
    return nil
  }
}
