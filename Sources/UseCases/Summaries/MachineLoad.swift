import Foundation

/// How busy the machine is, and whether it runs from its battery.
struct MachineLoad: Sendable {
  /// Where Linux tells it.
  var loadFile = "/proc/loadavg"
  var powerFolder = "/sys/class/power_supply"

  /// The load of the last minute for each processor; `nil` where it is not known.
  func load() -> Double? {
    guard let text = try? String(contentsOfFile: loadFile, encoding: .utf8),
      let first = text.split(separator: " ").first,
      let load = Double(first)
    else { return nil }
    return load / Double(max(1, ProcessInfo.processInfo.activeProcessorCount))
  }

  /// The charge in percent while the machine runs from its battery; `nil` where it does not, or has none.
  func chargeOnBattery() -> Int? {
    let supplies = (try? FileManager.default.contentsOfDirectory(atPath: powerFolder)) ?? []
    var charge: Int?
    for supply in supplies.sorted() {
      let folder = "\(powerFolder)/\(supply)/"
      switch text(folder + "type") {
      case "Mains" where text(folder + "online") == "1": return nil
      case "Battery" where text(folder + "status") == "Discharging":
        charge = text(folder + "capacity").flatMap { Int($0) }.map { min($0, charge ?? $0) } ?? charge
      default: continue
      }
    }
    return charge
  }

  private func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
