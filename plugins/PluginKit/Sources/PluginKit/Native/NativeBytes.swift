import CPluginABI

/// Bytes on their way over the boundary.
enum NativeBytes {
  static func borrow<Result>(_ bytes: [UInt8], _ body: (sous_bytes) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(sous_bytes(data: $0.baseAddress, size: $0.count)) }
  }

  static func borrow<Result>(_ text: String, _ body: (sous_bytes) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(sous_bytes(data: $0.baseAddress, size: $0.count)) }
  }

  static func copy(_ bytes: sous_bytes) -> [UInt8] {
    guard let data = bytes.data, bytes.size > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: data, count: bytes.size))
  }

  static func string(_ bytes: sous_bytes) -> String {
    guard let data = bytes.data, bytes.size > 0 else { return "" }
    return String(decoding: UnsafeBufferPointer(start: data, count: bytes.size), as: UTF8.self)
  }

  /// Header fields for the duration of a call: one run of text, and entries that point into it.
  static func borrow<Result>(
    _ headers: HTTPHeaders, _ body: (UnsafePointer<sous_header>?, Int) -> Result
  ) -> Result {
    var text: [UInt8] = []
    for field in headers.fields {
      text += field.name.utf8
      text += field.value.utf8
    }
    return text.withUnsafeBufferPointer { text in
      var offset = 0
      func take(_ count: Int) -> sous_bytes {
        defer { offset += count }
        return sous_bytes(data: text.baseAddress.map { $0 + offset }, size: count)
      }
      let entries = headers.fields.map { field in
        sous_header(name: take(field.name.utf8.count), value: take(field.value.utf8.count))
      }
      return entries.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
    }
  }

  static func headers(_ entries: UnsafePointer<sous_header>?, _ count: Int) -> HTTPHeaders {
    guard let entries, count > 0 else { return HTTPHeaders() }
    return HTTPHeaders(
      UnsafeBufferPointer(start: entries, count: count).map {
        HTTPHeaders.Field(name: string($0.name), value: string($0.value))
      })
  }

  /// What `end` of a request or stream says: `nil` for a good end.
  static func failure(_ result: UnsafePointer<sous_result>?) -> ActionError? {
    guard let result else { return nil }
    return ActionError(payload: copy(result.pointee.payload))
  }

  /// A time for the host: whole milliseconds, at least one, 0 for its own choice.
  static func milliseconds(_ duration: Duration?) -> UInt64 {
    guard let duration else { return 0 }
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    let (product, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1000)
    guard !overflows else { return .max }
    let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000_000_000)
    return overflowsToo ? .max : max(1, sum)
  }
}
