import Expressions
import Foundation
import PythonPeer

// Usage: ExpressionBenchmark ROUNDS PYTHON SCRIPT
// Both sides compile once and evaluate many times with the same variables, in turns of about 20 ms, so that a machine
// whose speed drifts treats them alike; the first round warms up and is not counted. An empty PYTHON measures alone.

guard CommandLine.arguments.count == 4, let rounds = Int(CommandLine.arguments[1]), rounds > 0 else {
  print("usage: ExpressionBenchmark ROUNDS PYTHON SCRIPT")
  exit(2)
}
signal(SIGPIPE, SIG_IGN)
let python = CommandLine.arguments[2]
let peer = python.isEmpty ? nil : try? Peer(python: python, script: CommandLine.arguments[3])

print(padded("work", 22) + padded("per second", 14) + padded("peer per second", 18) + "ratio")
for workload in try Workload.all() {
  var reason = "no peer"
  var known = false
  if let peer {
    let answer = peer.ask(workload.request)
    known = answer?["ok"] == true
    reason = answer?["error"]?.stringValue ?? "the peer has ended"
  }
  let ownCount = try count { try seconds(count: $0, workload.body) }
  let peerCount = known ? count { peer?.seconds(workload.name, count: $0) } : 0
  var own: [Double] = []
  var other: [Double] = []
  for round in 0...rounds {
    let speed = Double(ownCount) / (try seconds(count: ownCount, workload.body))
    if round > 0 { own.append(speed) }
    if known, let taken = peer?.seconds(workload.name, count: peerCount), round > 0 {
      other.append(Double(peerCount) / taken)
    }
  }
  let speed = median(own)
  let line = padded(workload.name, 22) + padded(String(Int(speed)), 14)
  if other.isEmpty {
    print(line + padded("-", 18) + "- (\(reason))")
  } else {
    let ratio = (speed / median(other) * 10).rounded() / 10
    print(line + padded(String(Int(median(other))), 18) + "\(ratio)")
  }
}
