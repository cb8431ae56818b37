public import Localization
public import Plans
import RecipeModel
import Schemas

extension RetryPolicy {
  /// The pauses between attempts in seconds, before jitter: `backoff · factorⁿ⁻¹`, none longer than `maximum`.
  ///
  /// - Parameter limit: How many pauses at most.
  public func pauses(limit: Int = .max) -> [Double] {
    var pauses: [Double] = []
    var pause = backoff
    for _ in 0..<max(0, min(attempts - 1, limit)) {
      pauses.append(min(pause, maximum))
      if pause < maximum { pause *= factor }
    }
    return pauses
  }

  /// The longest time all pauses can take together, in seconds, jitter and `within` taken into account.
  public var longestWait: Double {
    let total = pauses().reduce(0) { $0 + min($1 * (1 + jitter), maximum) }
    return within.map { min($0, total) } ?? total
  }

  /// The schedule for people: `4 attempts, pauses 1 s, 2 s, 4 s (±20 %), together at most 8.4 s`.
  public var schedule: LocalizedText {
    guard attempts > 1 else { return LocalizedText("no repetition", de: "keine Wiederholung") }
    let all = pauses()
    let reachesCap = all.firstIndex(of: maximum)
    let shownCount = min(reachesCap.map { $0 + 1 } ?? all.count, 12, all.count)
    var pauses = all.prefix(shownCount).map(\.secondsText).joined(separator: ", ")
    if shownCount < all.count { pauses += " …" }
    let spread = jitter > 0 ? " (±\((jitter * 100).shortText) %)" : ""
    let budget = within.map {
      LocalizedText(", attempts included within ", de: ", samt Versuchen binnen ") + .figures($0.secondsText)
    }
    return LocalizedText("\(attempts) attempts, pauses ", de: "\(attempts) Versuche, Pausen ")
      + .figures(pauses + spread) + LocalizedText(", together at most ", de: ", zusammen höchstens ")
      + .figures(longestWait.secondsText) + (budget ?? LocalizedText(verbatim: ""))
  }
}
