import Foundation

extension RecordedRequest {
  /// The longest body that is written down as text.
  static let longestText = 64 << 10

  /// Header fields that say nothing about what is asked for, or differ from one time to the next.
  public static let volatileHeaders: Set<String> = [
    "accept-encoding", "connection", "content-length", "date", "host", "traceparent", "tracestate", "transfer-encoding",
    "user-agent", "x-request-id",
  ]

  /// Header fields whose value is another each time, and that must be there all the same: written as `<any>`.
  public static let presentHeaders: Set<String> = ["idempotency-key"]

  /// A request as it is written down and compared: without secrets.
  public init(
    method: String, url: String, headers: [RecordedHeader], body: [UInt8], scrubber: SecretScrubber
  ) {
    let kept = scrubber.scrub(headers).filter { !RecordedRequest.volatileHeaders.contains($0.name) }
      .map { RecordedRequest.presentHeaders.contains($0.name) ? RecordedHeader(name: $0.name, value: "<any>") : $0 }
      .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    let clean = scrubber.scrub(body)
    let text = clean.count <= RecordedRequest.longestText ? String(validating: clean, as: UTF8.self) : nil
    self.init(
      method: method, url: scrubber.scrub(url: url), headers: kept.isEmpty ? nil : kept,
      body: clean.isEmpty ? nil : text, bodyDigest: text == nil ? SHA256.hexadecimal(clean) : nil)
  }

  /// Whether this request is the recorded one; JSON bodies are compared as values.
  public func matches(_ recorded: RecordedRequest) -> Bool { differences(from: recorded).isEmpty }

  /// What is not as recorded, one line each; for people.
  public func differences(from recorded: RecordedRequest) -> [String] {
    var lines: [String] = []
    func compare(_ name: String, _ here: String?, _ there: String?) {
      guard here != there else { return }
      lines.append("  \(name): recorded \(RecordedRequest.show(there)), requested \(RecordedRequest.show(here))")
    }
    compare("method", method, recorded.method)
    compare("url", url, recorded.url)
    // Fields that were not recorded do not count: a recording may be older than they are, or written by hand.
    for name in Set((recorded.headers ?? []).map(\.name)).sorted() {
      let (here, there) = (values(of: name), recorded.values(of: name))
      if there == "<any>", here != nil { continue }
      compare("header \(name)", here, there)
    }
    compare("body digest", bodyDigest, recorded.bodyDigest)
    if !RecordedRequest.isSameJSON(body, recorded.body) { compare("body", body, recorded.body) }
    return lines
  }

  private func values(of name: String) -> String? {
    let values = (headers ?? []).filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  private static func show(_ text: String?) -> String {
    guard let text else { return "nothing" }
    return text.count > 300 ? "'\(text.prefix(300))…'" : "'\(text)'"
  }

  private static func isSameJSON(_ left: String?, _ right: String?) -> Bool {
    func value(_ text: String?) -> NSObject? {
      guard let text, text.hasPrefix("{") || text.hasPrefix("[") else { return nil }
      return try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSObject
    }
    guard let left = value(left), let right = value(right) else { return false }
    return left.isEqual(right)
  }
}
