import Engine
import Localization

/// The calls of models of a run as a table: who was asked for what, which model answered, what it has used.
struct CallTable {
  /// Calls that are shown.
  private static let longest = 50

  let terminal: Terminal

  /// The lines; none where no model was asked.
  func lines(_ calls: [CallRecord]) -> [String] {
    guard !calls.isEmpty else { return [] }
    var table = TextTable([
      .init(say("step", de: "Schritt")), .init("#"), .init(say("provider", de: "Provider")),
      .init(say("model", de: "Modell")), .init(say("result", de: "Ergebnis")),
      .init(say("tokens", de: "Tokens")), .number(say("cost", de: "Kosten")), .number(say("took", de: "Dauer")),
      .init(say("first word", de: "erstes Wort"), .below),
    ])
    for call in calls.suffix(Self.longest) {
      table.append([
        (call.step ?? "") + (call.item.map { "[\($0)]" } ?? ""), call.attempt.map { "#\($0)" } ?? "",
        call.provider, call.model, state(of: call), tokens(of: call),
        call.tokens.total == 0 ? "" : call.cost.map(\.spokenMoney) ?? "",
        call.duration?.spokenDuration ?? "",
        call.firstPiece.map {
          say("first word after \($0.spokenDuration)", de: "erstes Wort nach \($0.spokenDuration)")
        }
          ?? "",
      ])
    }
    var lines =
      ["", say("  calls of models", de: "  Aufrufe von Modellen")]
      + table.lines(terminal.narrowed(by: 2)).map { "  " + $0 }
    if calls.count > Self.longest {
      let left = calls.count - Self.longest
      lines.append(say("    and \(left) before them (--json)", de: "    und \(left) davor (--json)"))
    }
    return lines
  }

  private func state(of call: CallRecord) -> String {
    switch call.state {
    case .open: terminal.styled(say("under way", de: "läuft"), .dim)
    case .answered: terminal.styled("✓", .green)
    case .failed: "\(terminal.styled("✗", .red)) \(call.failure?.words.spoken ?? "")"
    case .unknown:
      "\(terminal.styled("?", .yellow)) \(call.failure?.words.spoken ?? say("its answer is not known", de: "Antwort ungewiss"))"
    }
  }

  private func tokens(of call: CallRecord) -> String {
    switch call.state {
    case .open: ""
    case .unknown where call.tokens.total == 0: say("tokens unknown", de: "Tokens ungewiss")
    case .failed where call.tokens.total == 0: ""
    default:
      "\(call.tokens.prompt) + \(call.tokens.completion) \(say("tokens", de: "Tokens"))"
    }
  }
}

extension Double {
  /// An amount of money without a currency, to the ten-thousandth, smaller ones to the millionth.
  var spokenMoney: String {
    if self == 0 { return "0" }
    let scale = magnitude < 0.01 ? 1_000_000.0 : 10_000.0
    let rounded = (self * scale).rounded() / scale
    // 6e-06 is nothing that people read.
    guard rounded != 0, rounded.magnitude < 0.001 else { return rounded.spoken }
    let digits = String(Int((rounded.magnitude * 1_000_000).rounded()))
    let text = (rounded < 0 ? "-" : "") + "0." + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    return Speech.language == .german ? text.replacing(".", with: ",") : text
  }
}
