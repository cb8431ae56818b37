/// The durations of recipes: `500ms`, `10s`, `1m30s`, `2h`, `1d`.
public enum DurationText {
  /// The longest duration in seconds: ten years.
  public static let longest: Double = 10 * 365 * 86_400

  /// Reads a duration.
  ///
  /// - Parameter text: Whole or decimal numbers with the units `d`, `h`, `m`, `s` and `ms`, from large to small, each
  ///   at most once; or a bare number, which counts seconds.
  /// - Returns: Seconds, or `nil` where the text is no duration or exceeds ``longest``.
  public static func seconds(_ text: String) -> Double? {
    if let number = Double(text), text.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E }) {
      return number <= longest ? number : nil
    }
    let units: [(name: String, seconds: Double)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1), ("ms", 0.001)]
    var next = 0
    var total = 0.0
    var rest = text[...]
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(name.count)
      guard let number = Double(digits), let unit = units[next...].firstIndex(where: { $0.name == name }) else {
        return nil
      }
      total += number * units[unit].seconds
      next = unit + 1
      if next == units.count, !rest.isEmpty { return nil }
    }
    return total <= longest ? total : nil
  }
}

extension Double {
  /// Seconds for people, exact to the millisecond: `0.5 s`, `30 s`, `10 min`, `2 h`.
  package var secondsText: String {
    guard isFinite else { return "∞" }
    if self >= 3600, truncatingRemainder(dividingBy: 3600) == 0 { return "\((self / 3600).shortText) h" }
    if self >= 60, truncatingRemainder(dividingBy: 60) == 0 { return "\((self / 60).shortText) min" }
    return "\(((self * 1000).rounded() / 1000).shortText) s"
  }
}
