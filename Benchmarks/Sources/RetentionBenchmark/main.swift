// One run a minute for some days, on a simulated clock, with retention on: how large the run log becomes.
// Usage: RetentionBenchmark [DAYS | bulk [RUNS]]. Ends with status 1 where the file or its -wal file exceeds its bound.
// `bulk` measures how fast many runs are written, exported, listed, searched and removed.
import Engine
import Foundation
import RunStore
import Synchronization

let arguments = Array(CommandLine.arguments.dropFirst())
let days = arguments.first.flatMap(Int.init) ?? 30
let folder = NSTemporaryDirectory() + "/sous-retention-\(ProcessInfo.processInfo.processIdentifier)"
defer { try? FileManager.default.removeItem(atPath: folder) }

let time = SimulatedTime()
let store = try RunStore(path: folder + "/sous.db", time: time)
if arguments.first == "bulk" {
  let count = arguments.dropFirst().first.flatMap(Int.init) ?? 200_000
  let isGood = try await Bulk(count: count, store: store, time: time).measure()
  try await store.close()
  try? FileManager.default.removeItem(atPath: folder)
  exit(isGood ? 0 : 1)
}
let policy = RetentionPolicy(age: 7 * 86_400, runs: 10_000, size: 64 << 20)
let (databaseBound, walBound) = (64 << 20, 64 << 20)

// Somebody looks at the list all the time.
let isDone = Atomic<Bool>(false)
let reader = Task {
  let log = try RunStore(readingFrom: folder + "/sous.db")
  var looks = 0
  while !isDone.load(ordering: .relaxed) {
    _ = try await log.runs(RunFilter(limit: 50))
    looks += 1
    try await Task.sleep(for: .milliseconds(2))
  }
  try await log.close()
  return looks
}

let clock = ContinuousClock()
let began = clock.now
var (largestDatabase, largestWAL, removed) = (0, 0, 0)
var (recording, pruning) = (Samples(), Samples())
for minute in 0..<days * 1440 {
  let run = SimulatedRun(number: minute, at: time.now)
  for entries in run.batches {
    let start = clock.now
    try await store.record(entries, durability: .committed)
    recording.add(clock.now - start)
  }
  let start = clock.now
  removed += try await store.prune(policy, at: time.now).runs
  pruning.add(clock.now - start)
  if minute % 60 == 59 { try await store.updateSearch() }
  let sizes = store.fileSizes()
  (largestDatabase, largestWAL) = (max(largestDatabase, sizes.database), max(largestWAL, sizes.wal))
  if minute % 1440 == 1439 {
    print(
      "day \(minute / 1440 + 1): database \(sizes.database >> 10) KiB, -wal \(sizes.wal >> 10) KiB, removed \(removed)")
  }
  time.advance(by: 60)
}
isDone.store(true, ordering: .relaxed)
let looks = try await reader.value
let words = SearchWords("\"subject of run \(days * 1440 - 5)\"")
let found = try await store.runs(RunFilter(words: words)).count
let findings = try await store.check(isThorough: true)
try await store.close()

print(
  "\(days * 1440) runs in \((clock.now - began).components.seconds) s; kept \(days * 1440 - removed); \(looks) looks beside it"
)
print(
  "database: largest \(largestDatabase >> 10) KiB of \(databaseBound >> 10); after closing \(store.fileSizes().database >> 10) KiB"
)
print("-wal:     largest \(largestWAL >> 10) KiB of \(walBound >> 10)")
print("recording, each call: \(recording)")
print("retention, each minute: \(pruning)")
print("search finds \(found) run; check finds \(findings.count) problems")
exit(largestDatabase > databaseBound || largestWAL > walBound || found != 1 || !findings.isEmpty ? 1 : 0)
