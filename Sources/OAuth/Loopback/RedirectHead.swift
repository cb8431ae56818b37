/// The request that a browser makes at the loopback redirect: its first line, and that it is complete.
struct RedirectHead: Sendable {
  /// The most bytes of a request's head: 16 KiB.
  static let longest = 16 << 10

  /// The result of parsing the bytes of a connection.
  enum Reading: Equatable {
    /// More has to come.
    case incomplete
    /// It is not a request that is answered; the status to answer with.
    case refused(Int)
    /// `GET` of the path `/`, with this query.
    case query(String)
  }

  /// Reads what has come so far.
  static func read(_ bytes: [UInt8]) -> Reading {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      return bytes.count > longest ? .refused(414) : .incomplete
    }
    let isWhole = bytes.firstRange(of: Array("\r\n\r\n".utf8)) != nil || bytes.firstRange(of: [10, 10]) != nil
    guard isWhole else { return bytes.count > longest ? .refused(431) : .incomplete }
    let words = bytes[..<end].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3, let version = words.last, version.hasPrefix("HTTP/1.") else { return .refused(400) }
    guard words.first == "GET" else { return .refused(405) }
    let target = words[1]
    let path = target.prefix { $0 != "?" }
    guard path == "/" else { return .refused(404) }
    return .query(String(target.dropFirst(path.count + 1).prefix { $0 != "#" }))
  }
}
