import Expressions
import Glibc
import Localization
import PluginConformance

/// Shows the results of the suite while they come in.
struct ConformanceReport {
  let isJSON: Bool
  private let terminal = Terminal()
  private var results: [Value] = []
  private var current: String?
  private(set) var hasFailed = false
  /// Whether the inner process has said anything.
  private(set) var hasBegun = false

  init(isJSON: Bool) { self.isJSON = isJSON }

  /// Takes a line of the inner process.
  mutating func take(_ line: Value) {
    hasBegun = true
    if line["alive"] != nil || line["end"] != nil {
      return
    } else if let check = line["begin"]?.stringValue {
      current = check
      if terminal.isInteractive, !isJSON { write("  … \(Self.title(check))\r") }
    } else {
      current = nil
      show(line)
    }
  }

  /// Shows one result: `{check, outcome, summary, findings: [{severity, message}]}`.
  mutating func show(_ result: Value) {
    results.append(result)
    let outcome = result["outcome"]?.stringValue ?? ""
    if outcome == CheckResult.Outcome.failed.rawValue { hasFailed = true }
    if isJSON { return }
    let mark =
      switch outcome {
      case "passed": terminal.styled("✓", .green)
      case "skipped": terminal.styled("–", .dim)
      default: terminal.styled("✗", .red)
      }
    let summary = result["summary"]?.stringValue ?? ""
    var lines = ["  \(mark) \(Self.title(result["check"]?.stringValue ?? ""))  \(terminal.styled(summary, .dim))"]
    if case .list(let findings)? = result["findings"] {
      for finding in findings {
        let isError = finding["severity"]?.stringValue == "error"
        let sign = isError ? terminal.styled("✗", .red) : terminal.styled("!", .yellow)
        lines.append("      \(sign) \(finding["message"]?.stringValue ?? "")")
      }
    }
    write(lines.joined(separator: "\n") + "\n")
  }

  /// The inner process did not come to its end: what it was doing has failed.
  mutating func broke(off ending: ConformanceProcess.Ending) {
    let (summary, message): (LocalizedText, LocalizedText)
    switch ending {
    case .complete: return
    case .signal(let number):
      let name = String(cString: strsignal(number))
      summary = LocalizedText("crashed", de: "abgestürzt")
      message = LocalizedText(
        "the plugin ended its process with signal \(number) (\(name))",
        de: "das Plugin hat seinen Prozess mit dem Signal \(number) beendet (\(name))")
    case .exit(let status):
      summary = LocalizedText("ended its process", de: "hat seinen Prozess beendet")
      message = LocalizedText(
        "the plugin ended its process with status \(status); a plugin must not call exit",
        de: "das Plugin hat seinen Prozess mit dem Status \(status) beendet; ein Plugin darf exit nicht rufen")
    case .hang(let seconds):
      summary = LocalizedText("hangs", de: "hängt")
      message = LocalizedText(
        "nothing happened for \(seconds) s, so its process was ended",
        de: "\(seconds) s lang geschah nichts, also wurde sein Prozess beendet")
    }
    show(CheckResult(current.flatMap(Check.init) ?? .creation, summary, [.error(message)]).json)
  }

  func finish() {
    if isJSON {
      writeJSON(["passed": .bool(!hasFailed), "checks": .list(results)])
    }
  }

  private static func title(_ check: String) -> String {
    switch Check(rawValue: check) {
    case .handshake: say("handshake", de: "Handschlag")
    case .manifest: say("manifest", de: "Manifest")
    case .schemas: say("schemas", de: "Schemata")
    case .contracts: say("contracts", de: "Verträge")
    case .creation: say("gets ready", de: "wird bereit")
    case .actions: say("actions answer", de: "Aktionen antworten")
    case .badInput: say("survives bad input", de: "verträgt falsche Eingaben")
    case .cancellation: say("cancels", de: "lässt sich abbrechen")
    case .concurrency: say("concurrent calls", de: "gleichzeitige Aufrufe")
    case .verification: say("verifies", de: "prüft nach")
    case .closing: say("goes when told", de: "geht auf Geheiß")
    case .memory: say("no leak", de: "verliert keinen Speicher")
    case nil: check
    }
  }
}

extension CheckResult {
  /// The result for machines.
  var json: Value {
    [
      "check": .string(check.rawValue), "outcome": .string(outcome.rawValue), "summary": .string(summary.spoken),
      "findings": .list(
        findings.map {
          ["severity": .string($0.isError ? "error" : "advice"), "message": .string($0.message.spoken)]
        }),
    ]
  }
}
