import CSyncCost
import Glibc
import Plans

// Usage: DurableBenchmark FOLDER ROUNDS [MEMORY [SOUS [PEERS MEMORY_PEERS]]]
//        DurableBenchmark FOLDER PART RUNS STEPS [COMMITS]
// Measures in one go SQLite alone and runs of steps with and without effects: in FOLDER, on the disk as it is, and in
// MEMORY, a folder in memory (else in FOLDER), on a disk of a stated speed. Rates of steps are compared to the single
// commits just before and after. Where the disk swings the medians of the rounds are shown; on the disk of a stated speed,
// and for steps without effects, where foreign load alone makes a difference, the best round. SOUS is the program, whose memory is measured too; PEERS and
// MEMORY_PEERS are files with the figures of others on either disk: lines of figure, name and version. Ends with status 1
// where a bound is missed.
// With a PART (once, idempotent, read, pure, loop) it measures that alone, once; with COMMITS on a disk that takes so many
// single commits a second at most.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
  print("usage: DurableBenchmark FOLDER ROUNDS [MEMORY [SOUS [PEERS MEMORY_PEERS]]]")
  exit(2)
}
let disk = Disk.real(arguments[0])

if arguments.count >= 4, let runs = Int(arguments[2]), let steps = Int(arguments[3]) {
  let part = arguments[1]
  let workload =
    part == "loop"
    ? try Workload.loop(over: steps, .pure, parallel: 1)
    : try Workload.line(of: steps, Effect(rawValue: part) ?? .pure)
  let rate = arguments.count > 4 ? Double(arguments[4]) : nil
  var rounds = try Rounds(Disk(name: "", folder: disk.folder, rate: rate))
  let figure = try await rounds.measure(workload, runs: runs, parallel: min(runs, 64), in: part)
  let more = 1 / figure.stepsPerSecond - 1 / rounds.commitRate
  print("\(part): \(Int(figure.stepsPerSecond)) steps/s, \(Int(rounds.commitRate)) commits/s")
  print(
    "a step: \(Int(more * 1e6)) us more than a commit, \(Int(figure.processor * 1e6)) us of processors,",
    "\((figure.syncs * 1000).rounded() / 1000) syncs")
  exit(0)
}

let program = CommandLine.arguments[0]
let rounds = Int(arguments[1]) ?? 5

// Before anything else: what this program holds itself would count into its children's peaks.
@MainActor func memory(_ name: String, _ command: [String]) throws -> Table.Row {
  let peak = try ChildProcess.peakMemory(of: command)
  return Table.Row(name: name, figure: peak, unit: "MB", bound: "under 150", isMet: peak < 150)
}
var memories = [
  try memory("for_each over 100 000 items, engine, peak", [program, disk.folder, "loop", "1", "100000"])
]
if arguments.count > 3 {
  memories.append(
    try memory(
      "for_each over 100 000 items, sous run, peak",
      [arguments[3], "run", "--quiet", "--state", disk.place("loop-program"), disk.folder + "/loop.yaml"]))
}

let once = try Workload.line(of: 40, .once)
let pure = try Workload.line(of: 50, .pure)
let sequence = try Workload.line(of: 300, .idempotent)

/// The kinds of steps. Where the disk takes many commits, the processor bounds what effects cost: what it can do is what
/// SQLite alone does in one commit.
func kinds(isBounded: Bool) -> [Rounds.Kind] {
  [
    .init(
      name: "once", title: "64 runs at once of 'once' steps", workload: once, runs: 128, parallel: 64,
      isBest: !isBounded, bound: "20 x commits" + (isBounded ? ", or rows / 50" : "")
    ) { min(20 * $0, isBounded ? $1 / 50 : .infinity) },
    .init(
      name: "idempotent", title: "one run of 'idempotent' steps", workload: sequence, runs: 1, parallel: 1,
      isBest: !isBounded, bound: "0.9 x commits" + (isBounded ? ", or what 300 rows take more" : "")
    ) { min(0.9 * $0, isBounded ? 1 / (1 / $0 + 300 / $1) : .infinity) },
    .init(
      name: "pure", title: "64 runs at once of 'pure' steps", workload: pure, runs: 20 * 64, parallel: 64, isBest: true,
      bound: "rows / 20"
    ) { $1 / 20 },
  ]
}

let disks = [
  (disk: disk, kinds: kinds(isBounded: true)),
  (disk: Disk.slow(arguments.count > 2 ? arguments[2] : disk.folder), kinds: kinds(isBounded: false)),
]
var measured = try disks.map { try Rounds($0.disk) }
for round in 1...max(1, rounds) {
  for index in disks.indices {
    var rounds = measured[index]
    try await rounds.measure(disks[index].kinds, round: round)
    measured[index] = rounds
  }
}

var table = Table()
for index in disks.indices {
  try measured[index].close(disks[index].kinds, into: &table)
  guard arguments.count > 4 + index, let file = fopen(arguments[4 + index], "r") else { continue }
  var line: UnsafeMutablePointer<CChar>?
  var capacity = 0
  while getline(&line, &capacity, file) > 0, let text = line.map({ String(cString: $0) }) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let figure = Double(words[0]) else { continue }
    table.add(
      .init(
        name: "\(words[1]) \(words[2])", figure: figure, unit: "steps/s", ratio: figure / measured[index].commitRate))
  }
  free(line)
  fclose(file)
}
table.add(title: "Memory")
for row in memories { table.add(row) }
table.show()
exit(table.isMet ? 0 : 1)
