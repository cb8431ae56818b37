import Expressions
public import Foundation
import Localization
import RecipeSyntax
import Schedules
import Schemas
public import UseCases

/// A reminder as `sous remind` or the API takes it: words for the time, and options.
public struct ReminderOrder: Sendable {
  /// The words.
  public var wish: ReminderWish
  /// The ways of delivery, each `notify`, a mail address, or a map as YAML; empty for those of the configuration.
  public var ways: [String] = []
  /// How long before its time it is delivered as well: `1d`.
  public var leads: [String] = []
  /// After which time it is delivered once more until it is done: `1h`.
  public var repetition: String?
  /// How often it is delivered at most; `nil` for no bound.
  public var limit: Int?
  /// More text.
  public var note = ""

  /// Creates an order without options.
  public init(_ wish: ReminderWish) { self.wish = wish }

  /// One of the reminders that the words can mean, with the options.
  ///
  /// - Throws: ``UseCaseError``: `wrong_input` for a lead time that is over, as it would be left out silently, and for an
  ///   option that cannot be read.
  public func completing(_ draft: ReminderDraft, now: Date) throws(UseCaseError) -> ReminderDraft {
    var draft = draft
    draft.note = note
    var seconds: [Double] = []
    for lead in leads {
      let before = try Self.seconds(lead)
      if case .once(let date) = draft.when, before >= date.timeIntervalSince(now) {
        throw .wrongInput(
          LocalizedText(
            "the lead time \(lead) is past: the reminder comes sooner than that",
            de: "die Vorlaufzeit \(lead) ist vorbei: so lange dauert es bis zur Erinnerung nicht mehr"))
      }
      seconds.append(before)
    }
    draft.leads = seconds.sorted(by: >)
    draft.every = try repetition.map { text throws(UseCaseError) in try Self.seconds(text) }
    draft.limit = limit
    draft.ways = try ways.map { way throws(UseCaseError) in try Self.way(way) }
    return draft
  }

  /// The seconds of a duration such as `2h`, more than none.
  public static func seconds(_ text: String) throws(UseCaseError) -> Double {
    if let seconds = DurationText.seconds(text), seconds > 0 { return seconds }
    throw .wrongInput(
      LocalizedText(
        "'\(text)' is not a duration such as 2h or 1d", de: "'\(text)' ist keine Dauer wie 2h oder 1d"))
  }

  /// A way of delivery as `deliver` of a recipe has it.
  private static func way(_ text: String) throws(UseCaseError) -> Value {
    if text == "notify" { return ["notify": true] }
    if text.hasPrefix("{") {
      let source = SourceText(path: "deliver", text: text)
      if let value = YAMLDocument.parse(source).document?.root?.value, case .map = value { return value }
    } else if text.contains("@") {
      return ["mail": .string(text)]
    }
    throw .wrongInput(
      LocalizedText(
        "a way of delivery is notify, a mail address or a map such as {command: [notify-send, \"{{ text }}\"]}, not '\(text)'",
        de:
          "ein Weg der Zustellung ist notify, eine Mail-Adresse oder eine Map wie {command: [notify-send, \"{{ text }}\"]}, "
          + "nicht '\(text)'"))
  }
}
