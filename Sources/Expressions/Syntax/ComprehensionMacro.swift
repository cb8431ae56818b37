/// A macro that evaluates an expression for each element of a list or each entry of a map.
public enum ComprehensionMacro: String, Sendable {
  /// The macros of CEL, of its extension for two variables, `sortBy` and `groupBy`.
  case all, exists, existsOne, map, filter, transformList, transformMap, transformMapEntry, sortBy, groupBy
}
