import Expressions
import Foundation
import Localization
import Schedules

/// Times on the clock of the page's zone.
extension PageContext {
  /// A time, with its distance from UTC in the title. With `isRelative` the page's script says how long ago it was.
  func time(_ value: Value?, otherwise: String = "–", isRelative: Bool = false) -> HTML {
    guard let text = value?.stringValue else { return .text(otherwise) }
    let local = local(text)
    return tag(
      .time, .with(.datetime, text), .data("style", isRelative ? "relative" : "point"), .with(.title, title(text)),
      text: local.map { dayAndTime($0) } ?? text)
  }

  /// The time of day of a time, with seconds: `07:00:00`.
  func clock(_ text: String) -> HTML {
    let shown = local(text).map { String($0.description.suffix(8)) } ?? text
    return tag(.time, .with(.datetime, text), .data("style", "clock"), .with(.title, title(text)), text: shown)
  }

  /// The value of an input of the type `datetime-local`: `2026-11-28T07:00`, with seconds only if they are not zero. Empty for a
  /// text that is not a time.
  func fieldTime(_ text: String) -> String {
    guard let shown = local(text)?.description else { return "" }
    return shown.hasSuffix(":00") ? String(shown.dropLast(3)) : shown
  }

  /// The distance of the zone from UTC at present: `+01:00`.
  var offset: String { String(zone.rfc3339(Date()).suffix(6)) }

  /// The name of the zone for the help below a field.
  var zoneHelp: String { say("Time zone: \(zone.identifier).", de: "Zeitzone: \(zone.identifier).") }

  /// A time on the zone's clock; `nil` for a text that is not a time of RFC 3339.
  private func local(_ text: String) -> LocalTime? {
    guard let moment = Timestamp(rfc3339: text) else { return nil }
    return zone.local(Date(timeIntervalSince1970: Double(moment.seconds)))
  }

  /// `2026-11-28 07:00:00 +01:00`; empty for a text that is not a time.
  private func title(_ text: String) -> String {
    guard let moment = Timestamp(rfc3339: text) else { return "" }
    let shown = zone.rfc3339(Date(timeIntervalSince1970: Double(moment.seconds)))
    return String(shown.dropLast(6)).replacing("T", with: " ") + " " + shown.suffix(6)
  }

  /// `28 Nov 2026, 07:00`, in German `28.11.2026, 07:00`.
  private func dayAndTime(_ local: LocalTime) -> String {
    let text = local.description
    let (date, clock) = (text.prefix(10), text.dropFirst(11).prefix(5))
    return day(String(date)) + (language == .german ? "" : " ") + date.prefix(4) + ", " + clock
  }
}
