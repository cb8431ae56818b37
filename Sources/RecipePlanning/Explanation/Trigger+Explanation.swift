import Expressions
public import Localization
public import Plans
import Schedules

extension Trigger {
  /// The trigger as a value; see ``summary`` for people.
  var value: Value {
    switch kind {
    case .manual: return ["type": "manual"]
    case .mail(let event):
      return [
        "type": "mail", "event": .string(event.kind.rawValue), "folder": .string(event.folder),
        "provider": event.provider.map { .string($0) } ?? .null,
      ]
    case .schedule(let schedule):
      return [
        "type": "schedule", "pattern": .string(schedule.patternText),
        "at": schedule.at.map { .string($0.description) } ?? .null,
        "timezone": schedule.timezone.map { .string($0) } ?? .null, "overlap": .string(schedule.overlap.description),
        "catch_up": .string(schedule.catchUp.rawValue),
      ]
    case .file(let event):
      return ["type": "file", "folder": .string(event.folder), "match": .string(event.match)]
    case .webhook(let hook):
      return [
        "type": "webhook", "path": .string("/hooks/\(hook.name)"), "signature": .string(hook.signature.rawValue),
      ]
    case .recipe(let end):
      return ["type": "recipe", "recipe": .string(end.recipe), "ended": .string(end.endings)]
    case .plugin(let event):
      return [
        "type": "plugin", "trigger": .string(event.trigger), "provider": event.provider.map { .string($0) } ?? .null,
      ]
    }
  }

  /// The trigger for people.
  public var summary: LocalizedText {
    switch kind {
    case .manual: return .init("by hand only", de: "nur von Hand")
    case .mail(let event):
      return LocalizedText(
        "new mail in \(event.folder)\(event.provider.map { " of \($0)" } ?? "")",
        de: "neue Post in \(event.folder)\(event.provider.map { " von \($0)" } ?? "")")
    case .schedule(let schedule):
      // The rule as well: it is what the recipe has.
      let rule = LocalizedText(verbatim: schedule.patternText)
      let place = (schedule.at.map { " \($0)" } ?? "") + (schedule.timezone.map { " \($0)" } ?? "")
      let points =
        schedule.sentence.map { $0 + LocalizedText(verbatim: ": ") + rule } ?? rule + LocalizedText(verbatim: place)
      return points
        + LocalizedText(
          ", overlap \(schedule.overlap), catch up \(schedule.catchUp.rawValue)",
          de: ", Überlappung \(schedule.overlap), Nachholen \(schedule.catchUp.rawValue)")
    case .file(let event):
      return .init(
        "a new or changed file \(event.folder)/\(event.match)",
        de: "eine neue oder geänderte Datei \(event.folder)/\(event.match)")
    case .webhook(let hook):
      return .init("a request to /hooks/\(hook.name)", de: "eine Anfrage an /hooks/\(hook.name)")
    case .recipe(let end):
      return .init(
        "the end of \(end.recipe) (\(end.endings))", de: "das Ende von \(end.recipe) (\(end.endings))")
    case .plugin(let event):
      let provider = event.provider ?? ""
      return .init(
        "\(event.trigger)\(provider.isEmpty ? "" : " of \(provider)")",
        de: "\(event.trigger)\(provider.isEmpty ? "" : " von \(provider)")")
    }
  }
}
