import CPluginABI
import OperatingSystem
import Synchronization

/// The C structs of the ABI header for one plugin instance, over its ``InstanceServices``.
///
/// The structs are about a thousand bytes per configured provider and never freed: a plugin whose threads outlive its
/// instance still finds them, and after ``close()`` they do nothing. One extension per capability turns C arguments into
/// values and back; the services decide what is allowed.
// Unchecked: the memory behind the pointer is written once, before a plugin sees it.
final class CapabilityTables: @unchecked Sendable {
  /// What `get` leads to, in one piece of memory: the plugin's pointer to the host is a pointer to all of it.
  private struct Tables {
    var host: sous_host
    var log: sous_log_v1
    var progress: sous_progress_v1
    var delta: sous_delta_v1
    var clock: sous_clock_v1
    var http: sous_http_v1
    var stream: sous_stream_v1
    var secret: sous_secret_v1
    var state: sous_state_v1
    var blob: sous_blob_v1
    var event: sous_event_v1
  }

  /// The host that the plugin gets in `create`.
  let host: UnsafePointer<sous_host>
  let services: any InstanceServices
  let limits: PluginLimits
  /// Where callbacks of requests and streams run: a plugin that blocks in one holds up nothing else.
  let callbacks: BlockingPool
  /// Requests, streams and blobs by the numbers that the plugin has for them.
  let exchanges = HandleTable<NativeExchange>()
  let streams = HandleTable<NativeStream>()
  let blobs = HandleTable<NativeBlob>()

  private let token: UInt

  init(services: any InstanceServices, callbacks: BlockingPool, limits: PluginLimits) {
    self.services = services
    self.callbacks = callbacks
    self.limits = limits
    // Plugins get a number instead of an address, so that one that calls too late finds nothing.
    token = UInt(truncatingIfNeeded: CompletionTable.shared.makeID())
    let context = UnsafeMutableRawPointer(bitPattern: token)
    let tables = UnsafeMutablePointer<Tables>.allocate(capacity: 1)
    tables.initialize(
      to: Tables(
        host: sous_host(
          size: MemoryLayout<sous_host>.size, context: context,
          get: { host, name in
            guard let host, let name else { return nil }
            return CapabilityTables.find(host.pointee.context)?.capability(String(cString: name))
          }),
        log: CapabilityTables.log(context), progress: CapabilityTables.progress(context),
        delta: CapabilityTables.delta(context), clock: CapabilityTables.clock(context),
        http: CapabilityTables.http(context), stream: CapabilityTables.stream(context),
        secret: CapabilityTables.secret(context), state: CapabilityTables.state(context),
        blob: CapabilityTables.blob(context), event: CapabilityTables.event(context)))
    host = UnsafeRawPointer(tables).assumingMemoryBound(to: sous_host.self)
    CapabilityTables.registry.withLock { $0[token] = self }
  }

  private static let registry = Mutex<[UInt: CapabilityTables]>([:])

  /// The tables that a plugin's `context` names; `nil` after ``close()``.
  static func find(_ context: UnsafeMutableRawPointer?) -> CapabilityTables? {
    registry.withLock { $0[UInt(bitPattern: context)] }
  }

  /// Makes the capabilities do nothing from now on.
  func close() {
    _ = CapabilityTables.registry.withLock { $0.removeValue(forKey: token) }
  }

  /// Ends the requests, streams and blobs of the instance, and waits until the plugin's callbacks have returned.
  ///
  /// - Parameter seconds: The longest wait; a callback may hang.
  func endEverything(within seconds: Double) {
    for blob in blobs.closeAll() { blob.discard() }
    let pending = exchanges.closeAll().map { exchange in
      exchange.cancel()
      return exchange.ended
    }
    let connected = streams.closeAll().map { stream in
      stream.abort()
      return stream.ended
    }
    let deadline = SyncReply<Void>.deadline(in: seconds)
    for ended in pending + connected { _ = ended.wait(until: deadline) }
  }

  private func capability(_ name: String) -> UnsafeRawPointer? {
    guard let capability = Capability(rawValue: name), services.offered.contains(capability) else { return nil }
    let offset =
      switch capability {
      case .log: MemoryLayout<Tables>.offset(of: \.log)
      case .progress: MemoryLayout<Tables>.offset(of: \.progress)
      case .delta: MemoryLayout<Tables>.offset(of: \.delta)
      case .clock: MemoryLayout<Tables>.offset(of: \.clock)
      case .http: MemoryLayout<Tables>.offset(of: \.http)
      case .stream: MemoryLayout<Tables>.offset(of: \.stream)
      case .secret: MemoryLayout<Tables>.offset(of: \.secret)
      case .state: MemoryLayout<Tables>.offset(of: \.state)
      case .blob: MemoryLayout<Tables>.offset(of: \.blob)
      case .event: MemoryLayout<Tables>.offset(of: \.event)
      }
    return offset.map { UnsafeRawPointer(host) + $0 }
  }
}

/// Reads what plugins hand over.
extension sous_bytes {
  /// The bytes; `nil` if they exceed the limit or the pointer is NULL.
  func copy(limit: Int) -> [UInt8]? {
    guard size > 0 else { return [] }
    guard size <= limit, let data else { return nil }
    return Array(UnsafeBufferPointer(start: data, count: size))
  }

  /// The text; `nil` if it exceeds the limit in bytes or is not UTF-8.
  func text(limit: Int) -> String? {
    guard size > 0 else { return "" }
    guard size <= limit, let data else { return nil }
    return String(validating: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
  }

  /// The beginning of a text; invalid UTF-8 is repaired.
  func beginning(limit: Int) -> String {
    guard let data, size > 0 else { return "" }
    return String(decoding: UnsafeBufferPointer(start: data, count: min(size, limit)), as: UTF8.self)
  }
}

/// Lends bytes to a plugin.
func borrow<Result>(_ bytes: [UInt8], _ body: (sous_bytes) -> Result) -> Result {
  bytes.withUnsafeBufferPointer { body(sous_bytes(data: $0.baseAddress, size: $0.count)) }
}
