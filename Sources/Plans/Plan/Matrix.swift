public import Expressions
import Localization

/// The combinations of a `matrix`: one value of each list, as in GitHub Actions.
///
/// First all combinations, the last list counting fastest; then those go that an entry of `exclude` matches; then each entry of
/// `include` is added to the combinations whose values of the lists it does not change, or is a combination of its own.
public enum Matrix {
  /// The most combinations.
  public static let limit = 10_000
  /// The keys that are not lists of values.
  public static let settings = ["include", "exclude"]

  /// The combinations, each a map with the same keys; what a combination does not have is null.
  ///
  /// - Parameter matrix: The lists by name, and `include` and `exclude`.
  /// - Throws: `ExpressionError` if a part is not a list, or there are too many combinations.
  public static func combinations(of matrix: ValueMap) throws(ExpressionError) -> [Value] {
    let axes = try axes(of: matrix)
    var count = axes.isEmpty ? 0 : 1
    for axis in axes {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: axis.values.count)
      guard !isTooLarge, product <= limit else { throw tooMany }
      count = product
    }
    var combinations: [ValueMap] = axes.isEmpty ? [] : [[:]]
    for axis in axes {
      combinations = combinations.flatMap { combination in
        axis.values.map { value in
          var combination = combination
          combination[axis.name] = value
          return combination
        }
      }
    }
    let excluded = try entries(matrix["exclude"], "exclude")
    combinations.removeAll { combination in
      excluded.contains { entry in
        !entry.entries.isEmpty && entry.entries.allSatisfy { combination[$0.key] == $0.value }
      }
    }
    let included = try entries(matrix["include"], "include")
    guard included.count <= limit else { throw tooMany }
    combinations = adding(included, to: combinations, Set(axes.map(\.name)))
    guard combinations.count <= limit else { throw tooMany }
    let names = axes.map(\.name) + included.flatMap { $0.entries.compactMap { $0.key.name } }
    return combinations.map { combination in
      var whole = ValueMap()
      for name in names { whole[name] = combination[name] ?? .null }
      return .map(whole)
    }
  }

  private static func adding(_ included: [ValueMap], to base: [ValueMap], _ axes: Set<String>) -> [ValueMap] {
    var combinations = base
    var own: [ValueMap] = []
    for entry in included {
      var isTaken = false
      for index in base.indices {
        let fits = entry.entries.allSatisfy { key, value in
          guard let name = key.name, axes.contains(name) else { return true }
          return base[index][name] == value
        }
        guard fits else { continue }
        isTaken = true
        for (key, value) in entry.entries { combinations[index][key] = value }
      }
      if !isTaken { own.append(entry) }
    }
    return combinations + own
  }

  private static func axes(of matrix: ValueMap) throws(ExpressionError) -> [(name: String, values: [Value])] {
    var axes: [(name: String, values: [Value])] = []
    for (key, value) in matrix.entries {
      guard let name = key.name, !settings.contains(name) else { continue }
      guard case .list(let values) = value else { throw notAList(name) }
      axes.append((name, values))
    }
    return axes
  }

  private static func entries(_ value: Value?, _ name: String) throws(ExpressionError) -> [ValueMap] {
    switch value {
    case nil, .null?: return []
    case .list(let elements)?:
      var maps: [ValueMap] = []
      for element in elements {
        guard case .map(let map) = element else {
          throw ExpressionError(
            .wrongType,
            .init("'matrix.\(name)' must be a list of maps", de: "'matrix.\(name)' muss eine Liste von Maps sein"))
        }
        maps.append(map)
      }
      return maps
    default: throw notAList(name)
    }
  }

  private static func notAList(_ name: String) -> ExpressionError {
    ExpressionError(
      .wrongType, .init("'matrix.\(name)' must be a list", de: "'matrix.\(name)' muss eine Liste sein"))
  }

  private static var tooMany: ExpressionError {
    ExpressionError(
      .limit,
      .init(
        "the matrix has more than \(limit) combinations", de: "die Matrix hat mehr als \(limit) Kombinationen"))
  }
}

extension MapKey {
  fileprivate var name: String? {
    if case .string(let name) = self { return name }
    return nil
  }
}
