import Engine
import Expressions
import Localization
import Recipes

extension Plan {
  /// What a recipe asks for that this version cannot keep, so that running it would do something else than it says;
  /// `nil` where it can be run.
  ///
  /// - Parameter now: The time of day.
  func unsupported(at now: Timestamp) -> LocalizedText? {
    if let dispatch {
      if let time = dispatch.time, time > now {
        return .init(
          "the message is to be sent at \(time.spokenLocalTime); waiting for that is not supported yet. Nothing was sent",
          de: "die Nachricht soll um \(time.spokenLocalTime) hinaus; darauf zu warten geht noch nicht. "
            + "Nichts wurde gesendet")
      }
      if dispatch.undoFor > 0 {
        return .init(
          "'undo_for' is not in force yet: the message could not be taken back. Nothing was sent",
          de: "'undo_for' wirkt noch nicht: die Nachricht wäre nicht zurückzuholen. Nichts wurde gesendet")
      }
    }
    return nil
  }
}
