/// Finds the name that was probably meant.
enum EditDistance {
  /// The candidate closest to a name that has a typing error or two; `nil` if none is close.
  static func suggestion(for name: String, among candidates: some Sequence<String>) -> String? {
    let sought = Array(name.unicodeScalars)
    guard !sought.isEmpty, sought.count <= 64 else { return nil }
    let folded = name.lowercased()
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
      if candidate.lowercased() == folded { return candidate }
      let limit = min(best.map { $0.distance } ?? .max, max(1, sought.count / 3) + 1)
      guard let distance = distance(sought, Array(candidate.unicodeScalars), below: limit) else { continue }
      // Of equally close names the first in the alphabet, whatever the order of the candidates.
      if let found = best, found.distance == distance, found.name < candidate { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two names, up to a limit.
  private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], below limit: Int) -> Int? {
    guard second.count <= 64, abs(first.count - second.count) <= limit, !second.isEmpty else { return nil }
    var beforePrevious: [Int] = []
    var previous = Array(0...second.count)
    for row in 1...first.count {
      var current = [row]
      for column in 1...second.count {
        let isSame = first[row - 1] == second[column - 1]
        var cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
          cost = min(cost, beforePrevious[column - 2] + 1)
        }
        current.append(cost)
      }
      (beforePrevious, previous) = (previous, current)
    }
    let distance = previous[second.count]
    return distance <= limit && distance < max(first.count, second.count) ? distance : nil
  }
}
