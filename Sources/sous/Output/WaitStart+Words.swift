import Engine
import Expressions
import Recipes

extension WaitStart {
  /// What a step stands still for, in one line; `nil` for a pause of Sous's own.
  var spoken: String? {
    let end = until.map { say(" until \($0.spokenLocalTime)", de: " bis \($0.spokenLocalTime)") } ?? ""
    switch kind {
    case .approval:
      let question = message?.singleLine ?? ""
      return say("asks for a decision\(end): \(question)", de: "bittet um eine Entscheidung\(end): \(question)")
    case .event:
      let name = [event, key.isEmpty ? nil : key].compactMap { $0?.singleLine }.joined(separator: ", ")
      return say("waits for the event \(name)\(end)", de: "wartet auf das Ereignis \(name)\(end)")
    case .time: return say("waits\(end)", de: "wartet\(end)")
    case .retry, .recipe: return nil
    }
  }

  /// The command that ends the wait from outside; `nil` where nobody can.
  var answer: String? {
    switch kind {
    case .approval:
      var names: [String] = []
      if case .map(let properties)? = form?["properties"] { names = properties.keys.map(\.text) }
      let fields = names.map { " --field \($0.singleLine)=…" }.joined()
      return "sous approve \(run)\(fields)"
    case .event:
      guard let event else { return nil }
      return "sous event \(event.singleLine)" + (key.isEmpty ? "" : " --key \(key.singleLine)")
    case .time, .retry, .recipe: return nil
    }
  }
}
