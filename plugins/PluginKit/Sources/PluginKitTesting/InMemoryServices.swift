import PluginKit
import Synchronization

/// An ``InMemoryHost`` as one plugin sees it.
struct InMemoryServices: HostServices {
  let host: InMemoryHost
  let hosts: AllowedHosts

  init(host: InMemoryHost, manifest: Manifest, configuration: JSONValue) {
    self.host = host
    hosts = AllowedHosts(manifest.hosts, configuration: configuration)
  }

  func log(call: UInt64, level: LogLevel, message: String) {
    host.state.withLock { $0.log.append(InMemoryHost.LogLine(call: call, level: level, message: message)) }
  }

  func progress(call: UInt64, done: UInt64, total: UInt64, label: String) {
    host.state.withLock { $0.progress.append(InMemoryHost.Progress(done: done, total: total, label: label)) }
  }

  func delta(call: UInt64, json: [UInt8]) {
    guard let value = try? JSONValue(json: json) else { return }
    host.state.withLock { $0.deltas.append(value) }
  }

  func now() -> Int64 { host.state.withLock { $0.now } }
  func monotonic() -> UInt64 { host.state.withLock { $0.elapsed } }

  func offers(_ capability: String) -> Bool {
    ["sous.log/1", "sous.progress/1", "sous.delta/1", "sous.clock/1", "sous.http/1"].contains(capability)
  }

  func startHTTP(
    _ request: HTTPRequest, call: UInt64, streamed: Bool, receiver: any HTTPReceiver
  ) -> (any HTTPControl)? {
    let refusal = hosts.refusal(of: request.url)
    let exchange = ScriptedExchange(request, receiver: receiver) { [host] request in
      if let refusal { return .failure(refusal) }
      return await host.respond(to: request)
    }
    if !streamed { exchange.finish() }
    return exchange
  }
}
