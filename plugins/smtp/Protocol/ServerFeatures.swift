/// The capabilities of a server, as its reply to EHLO says (RFC 5321, section 4.1.1.1).
struct ServerFeatures: Sendable, Hashable {
  /// The keywords in upper case, with their parameters.
  private(set) var keywords: [String: [String]] = [:]

  /// A server that knows HELO only.
  static let none = ServerFeatures()

  private init() {}

  /// Reads the lines behind the first, which greets.
  init(reply: Reply) {
    // In one-line replies and in those of some servers the keyword looks like an enhanced status code; none is.
    for line in reply.lines.dropFirst() {
      // "AUTH=PLAIN" is how servers told it before the standard was done.
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "=" }
      guard let keyword = words.first?.uppercased() else { continue }
      keywords[keyword, default: []] += words.dropFirst().map(String.init)
    }
  }

  func has(_ keyword: String) -> Bool { keywords[keyword] != nil }

  /// STARTTLS, RFC 3207.
  var startsTLS: Bool { has("STARTTLS") }
  /// PIPELINING, RFC 2920.
  var pipelines: Bool { has("PIPELINING") }
  /// 8BITMIME, RFC 6152.
  var takes8Bit: Bool { has("8BITMIME") }
  /// SMTPUTF8, RFC 6531.
  var takesUTF8: Bool { has("SMTPUTF8") }
  /// CHUNKING, RFC 3030.
  var takesChunks: Bool { has("CHUNKING") }
  /// DSN, RFC 3461.
  var notifies: Bool { has("DSN") }
  /// REQUIRETLS, RFC 8689.
  var requiresTLS: Bool { has("REQUIRETLS") }
  /// SIZE, RFC 1870.
  var takesSize: Bool { has("SIZE") }
  /// The largest message in bytes; `nil` if the server does not say.
  var sizeLimit: Int? { keywords["SIZE"]?.first.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
  /// The names of the ways to sign in.
  var mechanisms: [String] { keywords["AUTH"] ?? [] }
}
