import Engine
import Expressions
import Localization
import RecipeSyntax
import RunStore
import Schemas
import UseCases

/// The events that runs wait for, and those that no run has received.
enum EventListing {
  /// Names that a hint gives, at most.
  private static let longestHint = 10

  /// Lists them.
  static func tell(_ global: GlobalOptions, _ format: FormatOptions) async throws {
    let (waits, kept) = try await Workspace(global).runLog(
      { (try await $0.eventWaits(), try await $0.keptEvents()) }, ifMissing: { ([], []) }
    )
    if format.json {
      return writeJSON(.map(["waits": .list(waits.map(\.json)), "kept": .list(kept.map(\.json))]))
    }
    if waits.isEmpty { write(say("no run waits for an event\n", de: "kein Lauf wartet auf ein Ereignis\n")) }
    for wait in waits {
      write("\(wait.wait.run)  \(wait.recipe)  \(wait.step)  \(wait.wait.spoken ?? "")".singleLine + "\n")
      for command in wait.wait.commands() { write("  \(command.singleLine)\n") }
    }
    guard !kept.isEmpty else { return }
    write(say("delivered, and taken by no run so far\n", de: "zugestellt und bisher von keinem Lauf genommen\n"))
    for event in kept {
      write("  \(place(event.name, event.key))  \(event.receivedAt.spokenLocalTime)".singleLine + "\n")
    }
  }

  /// The text if no run waits for an event: other events that are waited for.
  static func hint(_ name: String, _ key: String, _ waits: [OpenWait]) -> String {
    var places: [String] = []
    for wait in waits {
      let place = place(wait.wait.event ?? "", wait.wait.key)
      if !places.contains(place) { places.append(place) }
    }
    guard !places.isEmpty else {
      return say("  no run waits for an event now\n", de: "  zurzeit wartet kein Lauf auf ein Ereignis\n")
    }
    // The nearest one first.
    if let near = Suggestion.closest(to: place(name, key), among: places)
      ?? places.first(where: { $0.hasPrefix(name + ",") }),
      let index = places.firstIndex(of: near)
    {
      places.insert(places.remove(at: index), at: 0)
    }
    let more = places.count > longestHint ? " …" : ""
    let list = places.prefix(longestHint).joined(separator: "; ").singleLine + more
    return say("  runs wait for: \(list)\n", de: "  Läufe warten auf: \(list)\n")
  }

  private static func place(_ name: String, _ key: String) -> String {
    key.isEmpty ? name : say("\(name), key \(key)", de: "\(name), Schlüssel \(key)")
  }
}
