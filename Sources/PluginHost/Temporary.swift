import Expressions
import Foundation
import Localization

extension Value {
  init(json: [UInt8]) throws(ExpressionError) {
    do { self = Value.from(try JSONSerialization.jsonObject(with: Data(json), options: [.fragmentsAllowed])) } catch {
      throw ExpressionError(.json, LocalizedText(verbatim: "\(error)"))
    }
  }
  static func from(_ any: Any) -> Value {
    switch any {
    case let s as String: return .string(s)
    case let n as NSNumber:
      if CFGetTypeIDShim(n) { return .bool(n.boolValue) }
      if let i = Int64(exactly: n.doubleValue), !"\(n)".contains(".") { return .int(i) }
      return .double(n.doubleValue)
    case let a as [Any]: return .list(a.map(from))
    case let d as [String: Any]:
      var m = ValueMap()
      for (k, v) in d { m[k] = from(v) }
      return .map(m)
    default: return .null
    }
  }
  static func CFGetTypeIDShim(_ n: NSNumber) -> Bool { String(cString: n.objCType) == "c" }
  func any() -> Any {
    switch self {
    case .bool(let b): return b
    case .int(let i): return i
    case .double(let d): return d
    case .string(let s): return s
    case .list(let l): return l.map { $0.any() }
    case .map(let m):
      var d: [String: Any] = [:]
      for case (.string(let k), let v) in m.entries { d[k] = v.any() }
      return d
    default: return NSNull()
    }
  }
  func json() -> [UInt8] {
    Array((try? JSONSerialization.data(withJSONObject: any(), options: [.fragmentsAllowed, .sortedKeys])) ?? Data())
  }
}
