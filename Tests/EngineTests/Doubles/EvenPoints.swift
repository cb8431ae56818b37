import Expressions

@testable import Engine

/// Points at equal distances, counted from 1970-01-01T00:00:00Z, so that they are the same after every restart.
struct EvenPoints: OccurrenceSource {
  private let seconds: Double

  /// Creates points.
  ///
  /// - Parameter seconds: The distance of two of them, at least a millisecond.
  init(every seconds: Double) { self.seconds = max(0.001, seconds) }

  /// The first point after a moment.
  func next(after moment: Timestamp) -> Timestamp? {
    if let whole = Int64(exactly: seconds), moment.seconds >= 0 {
      let (sum, isTooLarge) = (moment.seconds / whole).addingReportingOverflow(1)
      let (point, isTooLate) = sum.multipliedReportingOverflow(by: whole)
      guard !isTooLarge, !isTooLate, Timestamp.range.contains(point) else { return nil }
      return Timestamp(seconds: point)
    }
    let position = (Double(moment.seconds) + Double(moment.nanoseconds) / 1_000_000_000) / seconds
    var count = position.rounded(.down) + 1
    // What a `Double` cannot tell apart from the moment itself is not after it.
    for _ in 0..<3 {
      let point = Timestamp(seconds: 0).adding(seconds: count * seconds).wholeMilliseconds
      if point > moment { return point.isInRange ? point : nil }
      count += 1
    }
    return nil
  }
}
