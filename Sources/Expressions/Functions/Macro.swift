/// A macro of the language: what looks like a function, but introduces names or does not evaluate all of its parts.
///
/// Editors offer them beside ``FunctionSignature/standard``.
public struct Macro: Sendable, Hashable {
  /// The name: `exists`, `cel.bind`.
  public var name: String
  /// How it is written, each form once: `list.exists(e, test)`.
  public var forms: [String]
  /// Whether it is called on a value.
  public var isMethod: Bool

  /// Creates a macro.
  public init(_ name: String, isMethod: Bool = true, forms: [String]) {
    self.name = name
    self.forms = forms
    self.isMethod = isMethod
  }

  /// All macros of the language.
  public static let standard = [
    Macro("has", isMethod: false, forms: ["has(a.field)"]),
    Macro("cel.bind", isMethod: false, forms: ["cel.bind(name, value, expression)"]),
    Macro("all", forms: ["list.all(e, test)", "list.all(i, e, test)"]),
    Macro("exists", forms: ["list.exists(e, test)", "list.exists(i, e, test)"]),
    Macro("exists_one", forms: ["list.exists_one(e, test)", "list.exists_one(i, e, test)"]),
    Macro("existsOne", forms: ["list.existsOne(e, test)", "list.existsOne(i, e, test)"]),
    Macro("filter", forms: ["list.filter(e, test)"]),
    Macro("map", forms: ["list.map(e, result)", "list.map(e, test, result)"]),
    Macro("sortBy", forms: ["list.sortBy(e, key)"]),
    Macro("groupBy", forms: ["list.groupBy(e, key)"]),
    Macro("transformList", forms: ["list.transformList(i, e, result)", "list.transformList(i, e, test, result)"]),
    Macro("transformMap", forms: ["map.transformMap(k, v, result)", "map.transformMap(k, v, test, result)"]),
    Macro(
      "transformMapEntry",
      forms: ["map.transformMapEntry(k, v, {key: value})", "map.transformMapEntry(k, v, test, {key: value})"]),
    Macro("optMap", forms: ["optional.optMap(v, result)"]),
    Macro("optFlatMap", forms: ["optional.optFlatMap(v, optional)"]),
  ]
}
