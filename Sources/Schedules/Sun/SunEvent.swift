private import Foundation

/// A place on earth.
public struct Place: Sendable, Hashable {
  /// Degrees north, -90 to 90.
  public let latitude: Double
  /// Degrees east, -180 to 180.
  public let longitude: Double

  /// Creates a place; `nil` if there is none.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// Reads degrees north and east, such as `47.37,8.54`.
  public init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.count <= 20 ? Double(part.filter { $0 != " " }) : nil
    }
    guard parts.count == 2, numbers.count == 2 else { return nil }
    self.init(latitude: numbers[0], longitude: numbers[1])
  }
}

/// A daily event of the sun, seen from a place (NOAA's solar equations after Meeus, Astronomical Algorithms).
///
/// The sun rises and sets when its upper edge is seen at a level horizon, with the usual refraction: 0.833° below.
public enum SunEvent: String, Sendable, CaseIterable {
  /// The sun comes up.
  case sunrise
  /// The sun goes down.
  case sunset

  /// The first moment at or after another, both in seconds since 1970; `nil` if the sun neither rises nor sets for a year.
  func first(atOrAfter moment: Int, place: Place, offset: Int) -> Int? {
    let noon = Int((-place.longitude * 240).rounded()) + Civil.secondsPerDay / 2
    let day = Civil.floor(moment - offset - noon, Civil.secondsPerDay) - 1
    for day in day...day + 368 {
      guard let event = self.moment(noon: Double(day * Civil.secondsPerDay + noon), place: place) else { continue }
      let time = Int(event.rounded()) + offset
      if time >= moment { return time }
    }
    return nil
  }

  /// The moment nearest to a mean local noon, in seconds since 1970.
  private func moment(noon: Double, place: Place) -> Double? {
    var time = noon
    for _ in 0..<3 {
      let sun = Sun(at: time)
      let latitude = place.latitude * .pi / 180
      let cosine =
        (cos(90.833 * .pi / 180) - sin(latitude) * sin(sun.declination))
        / (cos(latitude) * cos(sun.declination))
      guard cosine >= -1, cosine <= 1 else { return nil }
      // The sun moves a degree in four minutes.
      let half = acos(cosine) * 180 / .pi * 240
      time = noon - sun.equationOfTime + (self == .sunrise ? -half : half)
    }
    return time
  }
}

/// The position of the sun.
private struct Sun {
  /// Radians north of the equator.
  let declination: Double
  /// How far a sundial is ahead of a clock, in seconds.
  let equationOfTime: Double

  init(at moment: Double) {
    let radians = Double.pi / 180
    // Centuries since noon of 2000-01-01.
    let t = (moment - 946_728_000) / 86_400 / 36_525
    let meanLongitude = (280.46646 + t * (36_000.76983 + t * 0.0003032)) * radians
    let anomaly = (357.52911 + t * (35_999.05029 - 0.0001537 * t)) * radians
    let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
    let center =
      sin(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t)) + sin(2 * anomaly) * (0.019993 - 0.000101 * t)
      + sin(3 * anomaly) * 0.000289
    let node = (125.04 - 1934.136 * t) * radians
    let longitude = meanLongitude + (center - 0.00569 - 0.00478 * sin(node)) * radians
    let meanObliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60
    let obliquity = (meanObliquity + 0.00256 * cos(node)) * radians
    declination = asin(sin(obliquity) * sin(longitude))
    let y = tan(obliquity / 2) * tan(obliquity / 2)
    let equation =
      y * sin(2 * meanLongitude) - 2 * eccentricity * sin(anomaly)
      + 4 * eccentricity * y * sin(anomaly) * cos(2 * meanLongitude) - 0.5 * y * y * sin(4 * meanLongitude)
      - 1.25 * eccentricity * eccentricity * sin(2 * anomaly)
    equationOfTime = equation / radians * 240
  }
}
