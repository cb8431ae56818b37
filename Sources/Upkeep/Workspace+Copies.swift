import Foundation
import Localization
import RunStore
import UseCases

extension Workspace {
  /// Days after which a return to the version before an upgrade is unlikely.
  private static let copyDays = 30

  /// The copies of the run log that upgrades have made, if they are old: they keep all inputs and outputs of their time.
  ///
  /// - Returns: A warning for each copy that is older than 30 days.
  func copyHealth(now: Date) -> [HealthFinding] {
    RunStore.schemaCopies(beside: surroundings.resolve(database)).compactMap { path in
      let facts = try? FileManager.default.attributesOfItem(atPath: path)
      guard let made = facts?[.modificationDate] as? Date else { return nil }
      let days = Int((now.timeIntervalSince(made) / 86_400).rounded(.down))
      guard days > Self.copyDays else { return nil }
      let size = ((facts?[.size] as? NSNumber)?.int64Value ?? 0) >> 20
      return HealthFinding(
        .runLog, .warning,
        .init(
          "\(path), the copy of an older run log, is \(days) days old (\(size) MB) and keeps all inputs and outputs",
          de:
            "\(path), die Kopie eines älteren Laufprotokolls, ist \(days) Tage alt (\(size) MB) und enthält alle Eingaben "
            + "und Ausgaben"),
        remedy: .init(
          "if you do not go back to the older version: rm '\(path)'",
          de: "wenn die ältere Version nicht mehr gebraucht wird: rm '\(path)'"))
    }
  }
}
