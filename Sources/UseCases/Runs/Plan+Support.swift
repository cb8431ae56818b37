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
    if repetition != nil {
      return .init(
        "'repeat' is not in force yet: the reminder would come once. Nothing has run",
        de: "'repeat' wirkt noch nicht: die Erinnerung käme nur einmal. Nichts ist gelaufen")
    }
    return nil
  }
}
