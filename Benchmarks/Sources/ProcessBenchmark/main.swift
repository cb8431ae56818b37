import Glibc

// Usage: ProcessBenchmark RUNS NAME COMMAND [NAME COMMAND]...
// A NAME may end with `<=RATIO`: how many times the peer's processor time the command may take; the status is 1 otherwise.
// A COMMAND is one argument, split at spaces. The commands run in turn, A B A B …, so that a machine whose speed drifts
// treats them alike; the first round warms up and is not counted. The last command is the peer the ratios refer to.

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

extension Substring {
  func trimmingSuffix(_ character: Character) -> String {
    var text = self
    while text.last == character { text.removeLast() }
    return String(text)
  }
}

func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

/// Writes a line to standard error.
func complain(_ text: String) {
  let line = text + "\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard let first = arguments.first, let runs = Int(first), runs > 0, arguments.count >= 3, arguments.count % 2 == 1
else {
  complain("usage: ProcessBenchmark RUNS NAME COMMAND [NAME COMMAND]...")
  exit(2)
}
let entries = stride(from: 1, to: arguments.count, by: 2).map { index in
  let parts = arguments[index].split(separator: "<=").map { $0.trimmingSuffix(" ") }
  return (
    name: parts[0], bound: parts.count > 1 ? Double(parts[1]) : nil,
    timer: CommandTimer(arguments: arguments[index + 1].split(separator: " ").map(String.init))
  )
}
var samples = [[CommandTimer.Sample]](repeating: [], count: entries.count)
do {
  for round in 0...runs {
    for (index, entry) in entries.enumerated() {
      let sample = try entry.timer.sample()
      if round > 0 { samples[index].append(sample) }
    }
  }
} catch {
  complain("error: \(error)")
  exit(1)
}
let peer = median(samples[entries.count - 1].map(\.cpu))
print(
  padded("command", 34) + padded("CPU ms", 10) + padded("ms", 10) + padded("MiB", 9)
    + "ratio to \(entries[entries.count - 1].name)")
var isMet = true
for (index, entry) in entries.enumerated() {
  let cpu = median(samples[index].map(\.cpu))
  let elapsed = median(samples[index].map(\.elapsed))
  let memory = median(samples[index].map(\.memory))
  let isMissed = entry.bound.map { cpu / peer > $0 } ?? false
  if isMissed { isMet = false }
  print(
    padded(entry.name, 34) + padded(rounded(cpu), 10) + padded(rounded(elapsed), 10)
      + padded(rounded(memory), 9) + padded(rounded(cpu / peer), 8)
      + (entry.bound.map { "at most \(rounded($0))" + (isMissed ? "  MISSED" : "") } ?? ""))
}
exit(isMet ? 0 : 1)
