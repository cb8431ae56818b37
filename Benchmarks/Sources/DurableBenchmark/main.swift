import Glibc
import Recipes

// Usage: DurableBenchmark FOLDER ROUNDS [SOUS [PEERS]]
//        DurableBenchmark FOLDER PART RUNS STEPS
// Measures in FOLDER, on the disk, and in one go, since disks differ from minute to minute: SQLite alone, runs of steps
// with and without effects, long loops. Rates of steps are compared to the single commits just before and after, and the
// medians of the rounds are shown; for steps without effects, which the processor bounds and foreign load slows down, the
// best round. SOUS is the program, whose memory is measured too; PEERS a file with the figures of others: lines of figure,
// name and version. Ends with status 1 where a bound is missed.
// With a PART (once, idempotent, read, pure, loop) it measures that alone, once.

/// Single commits in a second beyond which the processor bounds what is measured, not the disk.
let fastDisk = 1000.0

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
  print("usage: DurableBenchmark FOLDER ROUNDS [SOUS [PEERS]]")
  exit(2)
}
let folder = arguments[0]

/// A folder for one run log.
@MainActor func place(_ name: String) -> String {
  let path = "\(folder)/\(name)"
  mkdir(path, 0o700)
  return path
}

if arguments.count == 4, let runs = Int(arguments[2]), let steps = Int(arguments[3]) {
  let part = arguments[1]
  let workload =
    part == "loop"
    ? try Workload.loop(over: steps, .pure, parallel: 1)
    : try Workload.line(of: steps, Effect(rawValue: part) ?? .pure)
  let figure = try await workload.stepsPerSecond(runs, parallel: min(runs, 64), in: place(part))
  print("\(part): \(Int(figure)) steps a second")
  exit(0)
}

var table = Table()
let program = CommandLine.arguments[0]
let rounds = Int(arguments[1]) ?? 5

// Before anything else: what this program holds itself would count into its children's peaks.
@MainActor func memory(_ name: String, _ command: [String]) throws -> Table.Row {
  let peak = try ChildProcess.peakMemory(of: command)
  return Table.Row(name: name, figure: peak, unit: "MB", bound: "under 150", isMet: peak < 150)
}
var memories = [
  try memory("for_each over 100 000 items, engine, peak memory", [program, folder, "loop", "1", "100000"])
]
if arguments.count > 2 {
  memories.append(
    try memory(
      "for_each over 100 000 items, sous run, peak memory",
      [arguments[2], "run", "--quiet", "--state", place("loop-program"), folder + "/loop.yaml"]))
}

var raw = try RawCommits(folder: place("raw"))
let once = try Workload.line(of: 40, .once)
let pure = try Workload.line(of: 50, .pure)
let sequence = try Workload.line(of: 300, .idempotent)
var commits: [Double] = []
var figures: [String: [(figure: Double, ratio: Double, bound: Double)]] = [:]
for round in 1...max(1, rounds) {
  commits.append(try raw.singleCommits(for: 0.4))
  func take(_ name: String, _ figure: Double, bound: (Double) -> Double) throws {
    commits.append(try raw.singleCommits(for: 0.4))
    let around = (commits[commits.count - 1] + commits[commits.count - 2]) / 2
    figures[name, default: []].append((figure, figure / around, figure / bound(around)))
  }
  try take("once", try await once.stepsPerSecond(128, parallel: 64, in: place("once\(round)"))) {
    min(20 * $0, 20 * fastDisk)
  }
  try take("idempotent", try await sequence.stepsPerSecond(1, parallel: 1, in: place("idempotent\(round)"))) {
    min(0.9 * $0, 1 / (1 / $0 + 0.000_25))
  }
  try take("pure", try await pure.stepsPerSecond(20 * 64, parallel: 64, in: place("pure\(round)"))) { _ in 50_000 }
}
let rows = try raw.rows(200_000)
raw.close()

table.add(
  .init(name: "SQLite, one row a commit, synchronous=FULL", figure: median(commits), unit: "commits/s", ratio: 1))
table.add(.init(name: "SQLite, all rows in one commit", figure: rows, unit: "rows/s"))
@MainActor func add(_ name: String, _ title: String, _ bound: String, best: Bool = false) {
  let rounds = figures[name] ?? []
  let choice = best ? { $0.max() ?? 0 } : median
  table.add(
    .init(
      name: title, figure: choice(rounds.map(\.figure)), unit: "steps/s", ratio: choice(rounds.map(\.ratio)),
      bound: bound, isMet: choice(rounds.map(\.bound)) >= 1))
}
add("once", "64 runs at once of 'once' steps", "20 x commits, or 20 000")
add("pure", "64 runs at once of 'pure' steps", "50 000", best: true)
add("idempotent", "one run of 'idempotent' steps", "0.9 x commits, or 0.25 ms more")
for row in memories { table.add(row) }
if arguments.count > 3, let file = fopen(arguments[3], "r") {
  var line: UnsafeMutablePointer<CChar>?
  var capacity = 0
  while getline(&line, &capacity, file) > 0, let text = line.map({ String(cString: $0) }) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let figure = Double(words[0]) else { continue }
    table.add(
      .init(name: "\(words[1]) \(words[2])", figure: figure, unit: "steps/s", ratio: figure / median(commits)))
  }
  free(line)
  fclose(file)
}
table.show()
exit(table.isMet ? 0 : 1)
