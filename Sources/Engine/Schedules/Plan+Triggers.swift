public import Expressions
import Localization
public import Plans
import RecipeModel

extension Plan {
  /// The inputs of the run that an event begins.
  ///
  /// - Parameters:
  ///   - trigger: What waited for the event.
  ///   - event: The event, as the run sees it.
  ///   - now: The time of day.
  /// - Returns: `nil` where the trigger's filter leaves the event out.
  /// - Throws: ``EngineError`` with code `invalid_input` where the filter or an input fails with it.
  public func inputs(of trigger: Trigger, event: Value, at now: Timestamp) throws(EngineError) -> Value? {
    let bindings = Bindings(
      variables: ["event": event, "recipe": .map(["name": .string(name), "path": .string(path)])], keywords: [:],
      now: now)
    var given: [String: Value] = [:]
    do throws(ExpressionError) {
      if let filter = trigger.filter {
        guard case .bool(let begins) = try filter.evaluate(bindings) else {
          throw ExpressionError(
            .wrongType, .init("'filter' must be true or false", de: "'filter' muss true oder false ergeben"))
        }
        if !begins { return nil }
      }
      for (name, value) in trigger.inputs { given[name] = try value.evaluate(bindings) }
    } catch {
      throw EngineError(
        .invalidInput,
        LocalizedText("the event cannot be used: ", de: "das Ereignis ist nicht brauchbar: ") + error.message,
        cause: error)
    }
    return try inputs(from: given)
  }
}
