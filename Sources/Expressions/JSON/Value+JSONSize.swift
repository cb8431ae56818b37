internal import JSONSyntax

extension Value {
  /// The length of the value's ``json(pretty:)`` in bytes, counted without writing it.
  public var jsonSize: Int { jsonSize(depth: 0) }

  private func jsonSize(depth: Int) -> Int {
    if depth > JSONWriter.maximumDepth { return 4 }
    switch self {
    case .string(let text): return JSONBuffer.size(ofString: text)
    case .null, .optional(nil): return 4
    case .bool(let condition): return condition ? 4 : 5
    case .optional(let wrapped?): return wrapped.jsonSize(depth: depth + 1)
    case .list(let elements):
      return elements.reduce(max(2, elements.count + 1)) { $0 + $1.jsonSize(depth: depth + 1) }
    case .map(let map):
      // Brackets, colons and commas.
      var size = max(2, 2 * map.count + 1)
      for entry in map.storage {
        if case .string(let name) = entry.key {
          size += JSONBuffer.size(ofString: name)
        } else {
          size += JSONBuffer.size(ofString: entry.key.text)
        }
        size += entry.value.jsonSize(depth: depth + 1)
      }
      return size
    case .int, .uint, .double, .bytes, .timestamp, .duration, .type:
      var writer = JSONWriter(isPretty: false)
      writer.write(self, depth: depth)
      return writer.buffer.size
    }
  }
}
