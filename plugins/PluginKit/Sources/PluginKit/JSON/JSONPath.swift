/// The position of a value within another one; becomes keys only on request.
indirect enum JSONPath {
  case root
  case member(of: JSONPath, name: String)
  case element(of: JSONPath, index: Int)

  /// The keys from the outside to the inside.
  var keys: [any CodingKey] {
    switch self {
    case .root: []
    case .member(let outer, let name): outer.keys + [JSONKey(stringValue: name)]
    case .element(let outer, let index): outer.keys + [JSONKey(intValue: index)]
    }
  }
}
