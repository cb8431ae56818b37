import Expressions
import Foundation
import PluginKit
import PythonPeer

// Usage: JSONBenchmark ROUNDS PYTHON SCRIPT
// Reads and writes documents with the host's values, with the plugin kit's, and with Python's json, in turns of about
// 20 ms, so that a machine whose speed drifts treats all alike; the first round warms up and is not counted. Counts the time
// of the processor. Prints how many times as fast as Python each is. Ends with status 1 where that is less than it has to be.

guard CommandLine.arguments.count == 4, let rounds = Int(CommandLine.arguments[1]), rounds > 0 else {
  print("usage: JSONBenchmark ROUNDS PYTHON SCRIPT")
  exit(2)
}
signal(SIGPIPE, SIG_IGN)
let peer = try Peer(python: CommandLine.arguments[2], script: CommandLine.arguments[3])

func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

var isMet = true
print(
  padded("document", 32) + padded("Python µs", 12) + padded("host µs", 10) + padded("kit µs", 10)
    + padded("host", 8) + padded("kit", 8) + "at least")
for document in Document.all {
  let bytes = Array(document.text.utf8)
  let value = try Value(json: bytes)
  let kit = try JSONValue(json: bytes)
  let parts: [(name: String, least: Double, host: () throws -> Void, kit: () throws -> Void)] = [
    ("read", document.least.read, { _ = try Value(json: bytes) }, { _ = try JSONValue(json: bytes) }),
    ("write", document.least.write, { _ = value.json() }, { _ = kit.json }),
  ]
  for part in parts {
    let name = "\(document.name), \(part.name)"
    let answer = peer.ask(["name": .string(name), part.name: .string(document.text)])
    guard answer?["ok"] == true else {
      print("\(name): no peer: \(answer?["error"]?.stringValue ?? "it has ended")")
      isMet = false
      continue
    }
    let (hostCount, kitCount) = (
      try count { try seconds(count: $0, part.host) }, try count { try seconds(count: $0, part.kit) }
    )
    let peerCount = count { peer.seconds(name, count: $0) }
    var (host, kit, other): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0...rounds {
      let taken = (
        try seconds(count: hostCount, part.host) / Double(hostCount),
        try seconds(count: kitCount, part.kit) / Double(kitCount),
        (peer.seconds(name, count: peerCount) ?? .nan) / Double(peerCount)
      )
      guard round > 0 else { continue }
      host.append(taken.0)
      kit.append(taken.1)
      other.append(taken.2)
    }
    let times = (median(host), median(kit), median(other))
    let isFast = times.2 / times.0 >= part.least && times.2 / times.1 >= part.least
    if !isFast { isMet = false }
    print(
      padded(name, 32) + padded(rounded(times.2 * 1e6), 12) + padded(rounded(times.0 * 1e6), 10)
        + padded(rounded(times.1 * 1e6), 10) + padded(rounded(times.2 / times.0), 8)
        + padded(rounded(times.2 / times.1), 8) + rounded(part.least) + (isFast ? "" : "  MISSED"))
  }
}
exit(isMet ? 0 : 1)
