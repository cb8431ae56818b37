public import Localization
import Schedules
import Schemas

extension Schedule {
  /// The points in a short sentence: `every Monday at 08:00`, with the zone if the recipe names one; `nil` for a rule that needs
  /// more.
  public var sentence: LocalizedText? {
    form(zone).words.map { $0 + LocalizedText(verbatim: timezone.map { " (\($0))" } ?? "") }
  }

  /// The points in words: ``sentence``, otherwise ``sourceText``.
  public var words: LocalizedText { sentence ?? LocalizedText(verbatim: sourceText) }

  /// The rule with its time of day, as the recipe says it.
  public var sourceText: String { patternText + (at.map { " at \($0)" } ?? "") }

  /// How the points in time were described.
  public var patternText: String {
    switch pattern {
    case .cron(let cron): return "cron \(cron.source)"
    case .rrule(let rule): return "rrule \(rule.source)"
    case .every(let seconds): return "every \(seconds.secondsText)"
    case .once(let times): return "once \(times.map(\.description).joined(separator: ", "))"
    case .sun(let event, let place, let offset):
      let distance = offset == 0 ? "" : "\(offset < 0 ? "-" : "+")\(Double(abs(offset)).secondsText)"
      return "\(event.rawValue)\(distance) at \(place.latitude),\(place.longitude)"
    }
  }
}

extension Schedule.Overlap: CustomStringConvertible {
  /// The policy as a recipe writes it.
  public var description: String {
    switch self {
    case .skip: "skip"
    case .queue(1): "queue"
    case .queue(let limit): "queue: \(limit == Self.most ? "all" : "\(limit)")"
    case .cancel: "cancel"
    case .allow(Self.most): "allow"
    case .allow(let limit): "allow: \(limit)"
    }
  }
}
