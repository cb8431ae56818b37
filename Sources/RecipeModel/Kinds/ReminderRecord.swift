package import Expressions
package import Plans
package import RecipeSyntax

/// A reminder as its recipe says it: what comparisons and exports use.
///
/// It needs no providers, so it can be read even if a way of delivery is not configured any more. Schedules are not in it.
package struct ReminderRecord: Sendable, Equatable {
  /// The name of the recipe.
  package var name: String
  /// What to be reminded of; expressions are as written.
  package var text: String
  /// The UID of the calendar entry that it was imported from (RFC 5545); empty for none.
  package var uid: String
  /// When it is due; `nil` if only schedules say it, or the run.
  package var at: Timestamp?
  /// How many seconds before its time it is delivered as well, the longest first.
  package var leads: [Double]
  /// The ways in which it is delivered, as `deliver` has them; empty for a notification.
  package var ways: [Value]
  /// How it is repeated; `nil` for not at all.
  package var repetition: Plan.Repetition?

  /// Versions before schema 21 of the run log wrote the UID as a comment in the first line.
  private static let comment = "# UID: "

  /// Reads a recipe; `nil` if it is not a reminder.
  package init?(_ source: SourceText) {
    guard let document = YAMLDocument.parse(source).document, let map = document.root?.mapping,
      let recipe = RecipeReader(reader: FieldReader(document)).recipe(), let reminding = recipe.reminding
    else { return nil }
    name = recipe.name
    text = (map["text"]?.string ?? "").replacing(#"{{ "{{" }}"#, with: "{{")
    uid = map["uid"]?.string ?? Self.uid(inFirstLineOf: source)
    (at, leads, repetition) = (reminding.at, reminding.leads, recipe.repetition)
    ways = map["deliver"].map { ($0.sequence ?? [$0]).map(\.value) } ?? []
  }

  private static func uid(inFirstLineOf source: SourceText) -> String {
    let line = source.bytes.prefix { $0 != 0x0A }
    guard line.starts(with: comment.utf8) else { return "" }
    return (try? Value(json: String(decoding: line.dropFirst(comment.utf8.count), as: UTF8.self)))?.stringValue ?? ""
  }

  /// The lines of ``text`` below the first one; empty for none.
  package var note: String {
    text.firstIndex(of: "\n").map { String(text[text.index(after: $0)...]) } ?? ""
  }

  /// The reminder without its time.
  package var untimed: ReminderRecord {
    var record = self
    record.at = nil
    return record
  }
}
