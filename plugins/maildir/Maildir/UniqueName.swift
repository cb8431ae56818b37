import MailWire
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Names for new messages: `SECONDS.MmicrosecondsPpidQcounter.HOST`.
///
/// As <https://cr.yp.to/proto/maildir.html> describes; never the same twice on one machine, since the counter belongs
/// to the process. A `K` with a digest marks what was delivered for an idempotency key, so that a repetition finds it
/// without opening a file.
enum UniqueName {
  private static let counter = Mutex<UInt64>(0)

  /// A new name.
  /// - Parameters:
  ///   - milliseconds: The time, in milliseconds since 1970.
  ///   - mark: See ``mark(key:)``; empty for none.
  static func make(at milliseconds: Int64, mark: String = "") -> String {
    let number = counter.withLock { counter in
      counter &+= 1
      return counter
    }
    let milliseconds = max(0, milliseconds)
    return "\(milliseconds / 1000).M\(milliseconds % 1000 * 1000)P\(getpid())Q\(number)\(mark).\(host)"
  }

  /// The mark for an idempotency key: `K` and 16 hexadecimal digits.
  static func mark(key: String) -> String { "K" + KeyDigest.hexadecimal(key) }

  /// The mark that a unique part carries; nil where it has none.
  static func mark(of unique: String) -> String? {
    let parts = unique.split(separator: ".", maxSplits: 2)
    guard parts.count >= 2, let start = parts[1].lastIndex(of: "K"), parts[1][start...].utf8.count == 17 else {
      return nil
    }
    return String(parts[1][start...])
  }

  /// Whether a file in `tmp` was written by this program on this machine: the name that ``make(at:mark:)`` made, and then sizes, which
  /// other programs add only when a message has its place.
  static func isTemporary(_ fileName: String) -> Bool {
    guard let match = fileName.wholeMatch(of: /[0-9]+\.M[0-9]+P[0-9]+Q[0-9]+(?:K[0-9a-f]{16})?\.(.+),S=[0-9]+,W=[0-9]+/)
    else { return false }
    return match.output.1 == host
  }

  /// The name of this machine, with `/` and `:` written as `\057` and `\072`.
  static let host: String = {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
    let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return escaped(name.isEmpty ? "localhost" : name)
  }()

  /// A host name as part of a file name.
  ///
  /// Commas are escaped like the others: they end the unique part.
  static func escaped(_ host: String) -> String {
    var result = ""
    for character in host {
      switch character {
      case "/": result += "\\057"
      case ":": result += "\\072"
      case ",": result += "\\054"
      default: result.append(character)
      }
    }
    return result
  }
}
