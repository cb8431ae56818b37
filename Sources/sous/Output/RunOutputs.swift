import Expressions

/// The outputs of a run, for people and for pipes.
enum RunOutputs {
  /// Writes the outputs of a run: one alone as it is, several with their names before them.
  ///
  /// - Parameter spacing: Whether an empty line precedes them.
  static func write(_ outputs: Value, spacing: Bool) {
    guard case .map(let map) = outputs, map.count > 0 else { return }
    if spacing { writeOutput("\n") }
    for (key, value) in map.entries {
      guard case .string(let name) = key else { continue }
      let text = value.stringValue ?? value.prettyJSON
      let label = map.count > 1 ? "\(name): " : ""
      writeOutput(label + text + (text.hasSuffix("\n") ? "" : "\n"))
    }
  }
}
