import Foundation

/// Takes secrets out of traffic before it is written down, and out of requests before they are compared with what was.
///
/// Gone are: the values it is told of, also percent-encoded, in Base64, or escaped in JSON, which become
/// `<secret:NAME>`; header fields that carry credentials or cookies; query parameters and JSON properties whose names say
/// that they are secret (`api_key`, `access_token`, `password` …), which become `<secret>`.
public struct SecretScrubber: Sendable {
  /// Header fields that are left out altogether.
  public static let secretHeaders: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
    "x-goog-api-key", "www-authenticate", "authentication-info",
  ]

  /// Names of query parameters and JSON properties whose values are secrets.
  static let secretNames: Set<String> = [
    "key", "api_key", "apikey", "api-key", "appid", "app_id", "token", "access_token", "refresh_token", "id_token",
    "auth", "password", "passwd", "secret", "client_secret", "signature", "sig", "code",
  ]
  /// Of a body only names that say it without doubt: `code` and `key` are ordinary words there.
  static let secretProperties = [
    "access_token", "refresh_token", "id_token", "api_key", "apikey", "client_secret", "password",
  ]

  private let replacements: [(bytes: [UInt8], mark: [UInt8])]

  /// Creates a scrubber.
  ///
  /// - Parameter secrets: Values by name. One of fewer than 4 bytes would be found everywhere and is skipped.
  public init(secrets: [String: String] = [:]) {
    var found: [(bytes: [UInt8], mark: [UInt8])] = []
    for (name, value) in secrets.sorted(by: { $0.key < $1.key }) where value.utf8.count >= 4 {
      let mark = Array("<secret:\(name)>".utf8)
      var forms: [[UInt8]] = [Array(value.utf8), Array(Data(value.utf8).base64EncodedString().utf8)]
      if let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) {
        forms.append(Array(escaped.utf8))
      }
      let unreserved = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
      if let escaped = value.addingPercentEncoding(withAllowedCharacters: unreserved) {
        forms.append(Array(escaped.utf8))
      }
      if let json = try? JSONEncoder().encode(value) { forms.append(Array(json.dropFirst().dropLast())) }
      for form in forms where !found.contains(where: { $0.bytes == form }) { found.append((form, mark)) }
    }
    // Longer ones first: one may hold another.
    replacements = found.sorted { $0.bytes.count > $1.bytes.count }
  }

  /// Bytes without secrets.
  public func scrub(_ bytes: [UInt8]) -> [UInt8] {
    var result = replacements.reduce(bytes) { SecretScrubber.replace($1.bytes, by: $1.mark, in: $0) }
    for name in Self.secretProperties { result = Self.scrubProperty(name, in: result) }
    return result
  }

  /// Text without secrets.
  public func scrub(_ text: String) -> String { String(decoding: scrub(Array(text.utf8)), as: UTF8.self) }

  /// A URL without secrets in its query.
  public func scrub(url: String) -> String {
    guard let question = url.firstIndex(of: "?") else { return scrub(url) }
    let start = url.index(after: question)
    let end = url[start...].firstIndex(of: "#") ?? url.endIndex
    let pairs = url[start..<end].split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.firstIndex(of: "="), Self.secretNames.contains(pair[..<equals].lowercased()) else {
        return String(pair)
      }
      return pair[...equals] + "<secret>"
    }
    return scrub(url[..<start] + pairs.joined(separator: "&") + url[end...])
  }

  /// Header fields without those that carry credentials.
  public func scrub(_ headers: [RecordedHeader]) -> [RecordedHeader] {
    headers.compactMap { header in
      let name = header.name.lowercased()
      return Self.secretHeaders.contains(name) ? nil : RecordedHeader(name: name, value: scrub(header.value))
    }
  }

  /// The pieces of a body without secrets. Where one lies across an end of a piece, the pieces become one.
  public func scrub(_ pieces: [RecordedBytes]) -> [RecordedBytes] {
    let scrubbed = pieces.map { RecordedBytes(scrub($0.bytes)) }
    let whole = scrubbed.flatMap(\.bytes)
    let clean = scrub(whole)
    return clean == whole ? scrubbed : [RecordedBytes(clean)]
  }

  private static func replace(_ needle: [UInt8], by mark: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    guard let first = needle.first, bytes.count >= needle.count else { return bytes }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == first, bytes[index...].starts(with: needle) {
        result += mark
        index += needle.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  /// `"name" : "value"`, whatever the value.
  private static func scrubProperty(_ name: String, in bytes: [UInt8]) -> [UInt8] {
    let quoted = Array("\"\(name)\"".utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == quoted[0], bytes[index...].starts(with: quoted) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      result += quoted
      index += quoted.count
      var next = index
      while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ":")].contains(bytes[next]) { next += 1 }
      guard next < bytes.count, bytes[next] == UInt8(ascii: "\""), bytes[index..<next].contains(UInt8(ascii: ":"))
      else { continue }
      var end = next + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
      guard end < bytes.count else { continue }
      // What has a name of its own keeps it.
      if bytes[(next + 1)..<end].starts(with: Array("<secret".utf8)) { continue }
      result += bytes[index...next] + Array("<secret>\"".utf8)
      index = end + 1
    }
    return result
  }
}
