internal import Expressions
import Foundation
import Localization

// Stands in for what Expressions will offer; to be deleted.
extension Value {
  init(json bytes: [UInt8]) throws(ExpressionError) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed]) else {
      throw ExpressionError(.json, .init(verbatim: "json"))
    }
    self = Value.from(object)
  }
  private static func from(_ object: Any) -> Value {
    switch object {
    case let map as [String: Any]:
      var result = ValueMap()
      for (key, value) in map.sorted(by: { $0.key < $1.key }) { result[key] = from(value) }
      return .map(result)
    case let list as [Any]: return .list(list.map(from))
    case let text as String: return .string(text)
    case let number as NSNumber:
      if String(cString: number.objCType) == "c" { return .bool(number.boolValue) }
      if let int = Int64(exactly: number.doubleValue) { return .int(int) }
      return .double(number.doubleValue)
    default: return .null
    }
  }
  func json() -> [UInt8] { Array(text.utf8) }
  private var text: String {
    switch self {
    case .bool(let b): "\(b)"
    case .int(let i): "\(i)"
    case .uint(let i): "\(i)"
    case .double(let d): "\(d)"
    case .string(let s): Value.quoted(s)
    case .list(let l): "[" + l.map(\.text).joined(separator: ",") + "]"
    case .map(let m):
      "{"
        + m.entries.map { entry in
          guard case .string(let name) = entry.key else { return "" }
          return Value.quoted(name) + ":" + entry.value.text
        }.joined(separator: ",") + "}"
    default: "null"
    }
  }
  private static func quoted(_ s: String) -> String {
    "\""
      + s.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
      .replacingOccurrences(of: "\n", with: "\\n") + "\""
  }
}

extension Timestamp {
  var rfc3339Milliseconds: String {
    let f = ISO8601DateFormatter()
    f.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return f.string(from: Date(timeIntervalSince1970: Double(seconds) + (Double(nanoseconds / 1_000_000) + 0.1) / 1e3))
  }
  init?(rfc3339 text: String) {
    let f = ISO8601DateFormatter()
    f.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    guard let d = f.date(from: text) else { return nil }
    let ms = Int64((d.timeIntervalSince1970 * 1000).rounded())
    self.init(seconds: ms / 1000, nanoseconds: Int32(ms % 1000) * 1_000_000)
  }
}
