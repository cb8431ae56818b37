public import Localization

/// Finds the name that was probably meant.
public enum Suggestion {
  /// The candidate closest to a name, by the edits (insert, delete, replace, swap neighbours) that lead to it.
  ///
  /// - Returns: `nil` where none is close enough: more than a third of the name would have to change.
  public static func closest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    // Nobody mistypes a name of that length; comparing it with many others would take long.
    guard wanted.count <= 100 else { return nil }
    let allowance = max(1, (wanted.count + 1) / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
      guard abs(candidate.unicodeScalars.count - wanted.count) <= allowance else { continue }
      let scalars = Array(candidate.lowercased().unicodeScalars)
      let distance = distance(trimming: wanted, scalars, limit: best.map { min($0.distance, allowance) } ?? allowance)
      guard distance <= allowance else { continue }
      if let current = best, (current.distance, current.name) <= (distance, candidate) { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// The end of a message that suggests a name: ` — did you mean 'x'?`, or nothing.
  public static func text(for name: String, among candidates: some Sequence<String>) -> LocalizedText {
    guard let candidate = closest(to: name, among: candidates) else { return LocalizedText(verbatim: "") }
    return text(suggesting: candidate)
  }

  /// The end of a message that suggests a name.
  public static func text(suggesting name: String) -> LocalizedText {
    LocalizedText(" — did you mean '\(name)'?", de: " — meinten Sie '\(name)'?")
  }

  /// The optimal string alignment distance; what two names begin and end with alike costs nothing to compare.
  private static func distance(trimming left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int {
    let shorter = min(left.count, right.count)
    var start = 0
    while start < shorter, left[start] == right[start] { start += 1 }
    var tail = 0
    while tail < shorter - start, left[left.count - 1 - tail] == right[right.count - 1 - tail] { tail += 1 }
    return distance(
      Array(left[start..<left.count - tail]), Array(right[start..<right.count - tail]), limit: limit)
  }

  /// The optimal string alignment distance.
  package static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int {
    var previous: [Int] = []
    var current = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      row.reserveCapacity(right.count + 1)
      for j in right.indices {
        var cost = min(row[j] + 1, current[j + 1] + 1, current[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { cost = min(cost, previous[j - 1] + 1) }
        row.append(cost)
      }
      if let least = row.min(), least > limit + 1 { return limit + 1 }
      previous = current
      current = row
    }
    return current[right.count]
  }
}
