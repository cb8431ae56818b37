import Expressions
import Localization
import PluginConformance

/// Shows the results of the suite while they come in.
struct ConformanceReport {
  let isJSON: Bool
  private let terminal = Terminal()
  private var results: [Value] = []
  private(set) var hasFailed = false

  init(isJSON: Bool) { self.isJSON = isJSON }

  /// Shows on a terminal that a check begins.
  func begin(_ check: Check) {
    if terminal.isInteractive, !isJSON { writeProgress("  … \(Self.title(check))".cut(to: terminal.width - 1)) }
  }

  /// Shows one result; for machines `{check, outcome, summary, findings: [{severity, message}]}`.
  mutating func show(_ result: CheckResult) {
    results.append(result.json)
    if result.outcome == .failed { hasFailed = true }
    if isJSON { return }
    let mark =
      switch result.outcome {
      case .passed: terminal.styled("✓", .green)
      case .skipped: terminal.styled("–", .dim)
      case .failed: terminal.styled("✗", .red)
      }
    var lines = ["  \(mark) \(Self.title(result.check))  \(terminal.styled(result.summary.spoken, .dim))"]
    for finding in result.findings {
      let sign = finding.isError ? terminal.styled("✗", .red) : terminal.styled("!", .yellow)
      lines.append("      \(sign) \(finding.message.spoken)")
    }
    write(lines.joined(separator: "\n") + "\n")
  }

  func finish() {
    if isJSON {
      writeJSON(["passed": .bool(!hasFailed), "checks": .list(results)])
    }
  }

  private static func title(_ check: Check) -> String {
    switch check {
    case .handshake: say("handshake", de: "Handschlag")
    case .manifest: say("manifest", de: "Manifest")
    case .schemas: say("schemas", de: "Schemata")
    case .contracts: say("contracts", de: "Verträge")
    case .creation: say("gets ready", de: "wird bereit")
    case .actions: say("actions answer", de: "Aktionen antworten")
    case .unknownAction: say("knows its actions", de: "kennt seine Aktionen")
    case .badInput: say("survives bad input", de: "verträgt falsche Eingaben")
    case .cancellation: say("cancels", de: "lässt sich abbrechen")
    case .concurrency: say("concurrent calls", de: "gleichzeitige Aufrufe")
    case .verification: say("verifies", de: "prüft nach")
    case .closing: say("ends when told", de: "endet auf Anweisung")
    case .memory: say("no leak", de: "verliert keinen Speicher")
    }
  }
}

extension CheckResult {
  /// The result for machines.
  fileprivate var json: Value {
    [
      "check": .string(check.rawValue), "outcome": .string(outcome.rawValue), "summary": .string(summary.spoken),
      "findings": .list(
        findings.map {
          ["severity": .string($0.isError ? "error" : "advice"), "message": .string($0.message.spoken)]
        }),
    ]
  }
}
