import Expressions
import Localization
import Plans
import Schemas

extension PlanStep.Repetition {
  /// The repetition for people: `until output.done, every 10 s, 20 times at most`.
  var words: LocalizedText {
    let bound =
      switch limit {
      case .times(let times)?:
        LocalizedText(
          ", \(times == 1 ? "once" : "\(times) times") at most",
          de: ", höchstens \(times == 1 ? "einmal" : "\(times)-mal")")
      case .seconds(let seconds)?:
        LocalizedText(", for \(seconds.secondsText) at most", de: ", höchstens \(seconds.secondsText) lang")
      case nil: LocalizedText(", without a limit", de: ", ohne Grenze")
      }
    return LocalizedText(
      "until \(until.source), every \(every.secondsText)", de: "bis \(until.source), alle \(every.secondsText)") + bound
  }
}
