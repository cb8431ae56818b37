import CPluginABI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The services of a real host, reached through its C table. Each capability is looked up once.
// The pointers lead to constant tables that the host keeps alive as long as the instance, and whose functions are
// documented to be callable from any thread.
struct NativeHostServices: HostServices, @unchecked Sendable {
  private let host: UnsafePointer<sous_host>
  private let logTable: UnsafePointer<sous_log_v1>?
  private let progressTable: UnsafePointer<sous_progress_v1>?
  private let deltaTable: UnsafePointer<sous_delta_v1>?
  private let clockTable: UnsafePointer<sous_clock_v1>?
  let httpTable: UnsafePointer<sous_http_v1>?
  let streamTable: UnsafePointer<sous_stream_v1>?
  let secretTable: UnsafePointer<sous_secret_v1>?
  let stateTable: UnsafePointer<sous_state_v1>?
  let blobTable: UnsafePointer<sous_blob_v1>?
  let eventTable: UnsafePointer<sous_event_v1>?
  private let start = ContinuousClock.now

  init(_ host: UnsafePointer<sous_host>) {
    self.host = host
    logTable = NativeHostServices.table(host, SOUS_LOG_V1)
    progressTable = NativeHostServices.table(host, SOUS_PROGRESS_V1)
    deltaTable = NativeHostServices.table(host, SOUS_DELTA_V1)
    clockTable = NativeHostServices.table(host, SOUS_CLOCK_V1)
    httpTable = NativeHostServices.table(host, SOUS_HTTP_V1)
    streamTable = NativeHostServices.table(host, SOUS_STREAM_V1)
    secretTable = NativeHostServices.table(host, SOUS_SECRET_V1)
    stateTable = NativeHostServices.table(host, SOUS_STATE_V1)
    blobTable = NativeHostServices.table(host, SOUS_BLOB_V1)
    eventTable = NativeHostServices.table(host, SOUS_EVENT_V1)
  }

  private static func table<Table>(
    _ host: UnsafePointer<sous_host>, _ capability: String
  ) -> UnsafePointer<Table>? {
    guard let get = host.pointee.get, let found = get(host, capability) else { return nil }
    return found.assumingMemoryBound(to: Table.self)
  }

  func log(call: UInt64, level: LogLevel, message: String) {
    guard let table = logTable else { return }
    NativeBytes.borrow(message) { table.pointee.write?(table.pointee.context, call, level.rawValue, $0) }
  }

  func progress(call: UInt64, done: UInt64, total: UInt64, label: String) {
    guard let table = progressTable else { return }
    NativeBytes.borrow(label) { table.pointee.report?(table.pointee.context, call, done, total, $0) }
  }

  func delta(call: UInt64, json: [UInt8]) {
    guard let table = deltaTable else { return }
    NativeBytes.borrow(json) { table.pointee.emit?(table.pointee.context, call, $0) }
  }

  func now() -> Int64 {
    guard let table = clockTable, let now = table.pointee.now else {
      return Int64((Date().timeIntervalSince1970 * 1000).rounded())
    }
    return now(table.pointee.context)
  }

  func monotonic() -> UInt64 {
    guard let table = clockTable, let monotonic = table.pointee.monotonic else {
      let (seconds, attoseconds) = start.duration(to: .now).components
      return UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
    }
    return monotonic(table.pointee.context)
  }

  func sleep(for duration: Duration) async throws(CancellationError) {
    do { try await Task.sleep(for: duration) } catch { throw CancellationError() }
  }

  func timer(for duration: Duration) async throws(CancellationError) { try await sleep(for: duration) }

  func offers(_ capability: String) -> Bool {
    host.pointee.get?(host, capability) != nil
  }
}
