extension Value {
  /// About how many bytes the value has when it is written out: what occurs several times counts several times.
  ///
  /// - Parameter limit: Where to stop counting; beyond it the number says only that there is more.
  func writtenSize(upTo limit: Int) -> Int {
    var size = 0
    count(into: &size, upTo: limit)
    return size
  }

  private func count(into size: inout Int, upTo limit: Int) {
    guard size <= limit else { return }
    switch self {
    case .string(let text): size += text.utf8.count + 2
    case .bytes(let bytes): size += bytes.count + bytes.count / 3 + 2
    case .list(let elements):
      size += elements.count + 2
      for element in elements where size <= limit { element.count(into: &size, upTo: limit) }
    case .map(let map):
      size += 2
      for entry in map.storage where size <= limit {
        size += 4
        if case .string(let name) = entry.key { size += name.utf8.count }
        entry.value.count(into: &size, upTo: limit)
      }
    case .optional(let wrapped?): wrapped.count(into: &size, upTo: limit)
    default: size += 4
    }
  }
}
