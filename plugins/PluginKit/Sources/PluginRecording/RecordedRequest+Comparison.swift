import Foundation

extension RecordedRequest {
  /// The longest body that is written down as text.
  static let longestText = 64 << 10

  /// A request as it is written down and compared: without secrets.
  public init(
    method: String, url: String, headers: [RecordedHeader], body: [UInt8], scrubber: SecretScrubber
  ) {
    let kept = scrubber.scrub(headers).filter { ["accept", "content-type"].contains($0.name) }
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
    for header in recorded.headers ?? [] {
      compare("header \(header.name)", headers?.first { $0.name == header.name }?.value, header.value)
    }
    compare("body digest", bodyDigest, recorded.bodyDigest)
    if !RecordedRequest.isSameJSON(body, recorded.body) { compare("body", body, recorded.body) }
    return lines
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
