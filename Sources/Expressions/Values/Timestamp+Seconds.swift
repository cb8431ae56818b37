extension Timestamp {
  /// Seconds from another point to this one, negative where this one is earlier.
  public func seconds(since other: Timestamp) -> Double {
    Double(seconds) - Double(other.seconds) + Double(nanoseconds - other.nanoseconds) / 1e9
  }

  /// The point so many seconds later; the last or the first point there is where that lies beyond.
  public func adding(seconds span: Double) -> Timestamp {
    guard span.isFinite, span.magnitude < 9e9 else {
      return Timestamp(seconds: span < 0 ? Self.range.lowerBound : Self.range.upperBound)
    }
    return adding(TimeSpan(nanoseconds: Int64(span * 1e9)))
      ?? Timestamp(seconds: span < 0 ? Self.range.lowerBound : Self.range.upperBound)
  }
}
