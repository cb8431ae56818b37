import Glibc

// Usage: DurableBenchmark FOLDER ROUNDS [PART]...

let arguments = Array(CommandLine.arguments.dropFirst())
let folder = arguments[0]
let rounds = Int(arguments[1])!
let parts = arguments.dropFirst(2)
@MainActor func wanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
var number = 0
@MainActor func place() -> String {
  number += 1
  let path = folder + "/\(number)"
  mkdir(path, 0o700)
  return path
}
func peak() -> String {
  guard let file = fopen("/proc/self/status", "r") else { return "" }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, 256, file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text.hasPrefix("VmHWM") { return text }
  }
  return ""
}
for _ in 0..<rounds {
  var raw = 1.0
  fflush(nil)
  if wanted("raw") {
    var commits = try RawCommits(folder: place())
    raw = try commits.singleCommits(400)
    print("raw", raw)
    print("rows", try commits.rows(200_000))
    commits.close()
  }
  fflush(nil)
  if wanted("once") {
    let once = try await Workload.line(of: 20, .once).stepsPerSecond(64 * 20, parallel: 64, in: place())
    print("once", once, once / raw)
  }
  fflush(nil)
  if wanted("pure") {
    let pure = try await Workload.line(of: 20, .pure).stepsPerSecond(64 * 100, parallel: 64, in: place())
    print("pure 20", pure)
  }
  fflush(nil)
  if wanted("pure100") {
    let pure = try await Workload.line(of: 100, .pure).stepsPerSecond(64 * 20, parallel: 64, in: place())
    print("pure 100", pure)
  }
  fflush(nil)
  if wanted("idempotent") {
    let sequential = try await Workload.line(of: 500, .idempotent).stepsPerSecond(1, parallel: 1, in: place())
    print("idempotent", sequential, sequential / raw)
  }
  fflush(nil)
  if wanted("loop") {
    let figure = try await Workload.loop(over: 100_000, .pure, parallel: 1).stepsPerSecond(1, parallel: 1, in: place())
    print("loop", figure, peak())
  }
  fflush(nil)
  if wanted("loop-read") {
    let figure = try await Workload.loop(over: 100_000, .read, parallel: 8).stepsPerSecond(1, parallel: 1, in: place())
    print("loop read", figure, peak())
  }
}
