import Expressions
import Localization

/// Reads a recipe of kind `send`: a message that is sent at a time.
struct SendReader {
  let reader: FieldReader

  func read(_ map: Node.Mapping, _ recipe: inout Recipe) {
    var dispatch = Plan.Dispatch()
    if let node = map["send_at"], let time = SendTime(node, reader) {
      dispatch.time = time.time
      dispatch.timezone = time.zone
    }
    dispatch.undoFor = map["undo_for"].flatMap { reader.duration($0, "undo_for", allowsZero: true) } ?? 0
    recipe.dispatch = dispatch
    guard let entry = map.entry("mail") else { return }
    var step = Recipe.Step(id: Located("send", at: entry.nameRange), range: entry.value.range)
    guard MessageReader(reader: reader).read(entry.value, into: &step) else { return }
    step.uses = Located("mail.send", at: entry.nameRange)
    recipe.steps = [step]
  }
}
