import PluginKit
import Synchronization

/// An ``InMemoryHost`` as one plugin sees it.
struct InMemoryServices: HostServices {
  let host: InMemoryHost
  let hosts: AllowedHosts
  let secrets: [String]
  let configuration: JSONValue

  init(host: InMemoryHost, manifest: Manifest, configuration: JSONValue) {
    self.host = host
    self.configuration = configuration
    secrets = manifest.secrets
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

  func sleep(for duration: Duration) async throws(CancellationError) {
    // Others get a turn, so that what waits for a deadline within this time sees it.
    await Task.yield()
    guard !Task.isCancelled else { throw CancellationError() }
    host.advance(by: duration)
  }

  func timer(for duration: Duration) async throws(CancellationError) { try await host.timer(for: duration) }

  func offers(_ capability: String) -> Bool {
    [
      "sous.log/1", "sous.progress/1", "sous.delta/1", "sous.clock/1", "sous.http/1", "sous.stream/1", "sous.secret/1",
      "sous.state/1", "sous.blob/1", "sous.event/1",
    ].contains(capability)
  }

  func startHTTP(
    _ request: HTTPRequest, call: UInt64, streamed: Bool, receiver: any HTTPReceiver
  ) -> (any HTTPControl)? {
    let refusal = hosts.refusal(of: request.url)
    if refusal == nil, let live = host.state.withLock({ $0.live }) {
      let exchange = live.start(request, receiver: receiver)
      if !streamed { exchange.finish() }
      return exchange
    }
    let exchange = ScriptedExchange(request, receiver: receiver) { [host] request in
      if let refusal { return .failure(refusal) }
      return await host.respond(to: request)
    }
    if !streamed { exchange.finish() }
    return exchange
  }

  func openStream(_ request: StreamRequest, call: UInt64, receiver: any StreamReceiver) -> (any StreamControl)? {
    host.open(request, refusal: hosts.refusal(ofHost: request.host), receiver: receiver)
  }
}
