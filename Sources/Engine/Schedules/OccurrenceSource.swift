public import Expressions

/// The points in time that a schedule describes.
public protocol OccurrenceSource: Sendable {
  /// The first point after a moment; `nil` where there is none any more.
  func next(after moment: Timestamp) -> Timestamp?
}
