import Expressions
import Localization

/// A few words about what a step has given: `14 messages`, `9 people · 4 bulk`, `<id@host>`.
enum OutputSummary {
  /// Words for an output; empty if there is nothing to say.
  static func words(_ output: Value) -> String {
    guard case .map(let map) = output else { return "" }
    if case .map(let counts)? = map["counts"] {
      let parts = counts.entries.compactMap { key, value -> String? in
        guard case .string(let name) = key, case .int(let count) = value, count > 0 else { return nil }
        return counted(name, Int(clamping: count))
      }
      if !parts.isEmpty { return parts.joined(separator: " · ") }
    }
    if let id = map["message_id"]?.stringValue {
      // Sent to some and not to others is not a plain success.
      guard case .list(let refused)? = map["refused"], !refused.isEmpty else { return id }
      return "\(id) · " + LocalizedText("\(refused.count) refused", de: "\(refused.count) abgelehnt").spoken
    }
    if let words = changes(map) { return words }
    for (key, value) in map.entries {
      guard case .string(let name) = key else { continue }
      if case .list(let elements) = value {
        return words(name, elements.count)
      }
    }
    return ""
  }

  /// The number of changed messages, and of those that no longer existed.
  private static func changes(_ map: ValueMap) -> String? {
    let names = [
      "moved": LocalizedText("moved", de: "verschoben"), "copied": LocalizedText("copied", de: "kopiert"),
      "changed": LocalizedText("changed", de: "geändert"), "deleted": LocalizedText("deleted", de: "gelöscht"),
    ]
    for name in ["moved", "copied", "changed", "deleted"] {
      guard case .int(let count)? = map[name] else { continue }
      let done = "\(count) \(names[name]?.spoken ?? name)"
      guard case .list(let missing)? = map["missing"], !missing.isEmpty else { return done }
      return done + " · " + LocalizedText("\(missing.count) missing", de: "\(missing.count) nicht gefunden").spoken
    }
    return nil
  }

  /// How long a list is. Its name is English and counts what is in it if it is a plural.
  private static func words(_ name: String, _ count: Int) -> String {
    if name == "people" || name.hasSuffix("s") && !name.hasSuffix("ss") { return counted(name, count) }
    return "\(name): " + LocalizedText.count(count, "element", "elements", de: "Element", "Elemente").spoken
  }

  /// Names that the built-in actions give lists and counts, in German: one and several.
  private static let german = [
    "people": ("Person", "Personen"), "newsletter": ("Newsletter", "Newsletter"),
    "list": ("Mailingliste", "Mailinglisten"), "notification": ("Benachrichtigung", "Benachrichtigungen"),
    "security": ("Sicherheitsmail", "Sicherheitsmails"), "invoice": ("Rechnung", "Rechnungen"),
    "calendar": ("Termin", "Termine"), "bounce": ("Unzustellbarkeit", "Unzustellbarkeiten"), "spam": ("Spam", "Spam"),
    "other": ("andere", "andere"), "messages": ("Nachricht", "Nachrichten"), "files": ("Datei", "Dateien"),
    "notes": ("Notiz", "Notizen"), "folders": ("Ordner", "Ordner"), "attachments": ("Anhang", "Anhänge"),
    "items": ("Element", "Elemente"), "lines": ("Zeile", "Zeilen"), "reminders": ("Erinnerung", "Erinnerungen"),
  ]

  /// `14 messages`; of a name without a German form `columns: 14` in German.
  private static func counted(_ name: String, _ count: Int) -> String {
    if Speech.language == .english { return "\(count) \(noun(name, count))" }
    guard let (one, several) = german[name] else { return "\(name): \(count)" }
    return "\(count) \(count == 1 ? one : several)"
  }

  /// The name of a list or of a count, in the singular for exactly one: `messages` becomes `message`.
  private static func noun(_ name: String, _ count: Int) -> String {
    guard count == 1 else { return name }
    if name == "people" { return "person" }
    if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
    if name.hasSuffix("sses") || name.hasSuffix("xes") { return String(name.dropLast(2)) }
    return name.hasSuffix("s") && !name.hasSuffix("ss") ? String(name.dropLast()) : name
  }
}
