internal import Localization

/// Conversions between types, and tests of types.
enum Conversions {
  static let functions: [StandardFunction] = [
    .unary("int", [.int, .int], [.uint, .int], [.double, .int], [.string, .int], [.timestamp, .int], body: int),
    .unary("uint", [.uint, .uint], [.int, .uint], [.double, .uint], [.string, .uint], body: uint),
    .unary("double", [.double, .double], [.int, .double], [.uint, .double], [.string, .double], body: double),
    .unary(
      "string", [.string, .string], [.int, .string], [.uint, .string], [.double, .string], [.bool, .string],
      [.bytes, .string], [.timestamp, .string], [.duration, .string], body: string),
    .unary("bytes", [.bytes, .bytes], [.string, .bytes], body: bytes),
    .unary("bool", [.bool, .bool], [.string, .bool], body: bool),
    .unary("dyn", [.parameter("A"), .dynamic]) { (_: inout Frame, value: Value) throws(Fault) -> Value in value },
    .unary("type", [.parameter("A"), .type(.parameter("A"))]) {
      (_: inout Frame, value: Value) throws(Fault) -> Value in .type(value.runtimeType)
    },
    .unary("timestamp", [.timestamp, .timestamp], [.string, .timestamp], [.int, .timestamp], body: timestamp),
    .unary("duration", [.duration, .duration], [.string, .duration], body: duration),
  ]

  @Sendable static func int(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .int: return value
    case .uint(let number):
      guard let result = Int64(exactly: number) else { throw .overflow("int") }
      return .int(result)
    case .double(let number):
      // The least integer itself is refused, as the reference implementations do.
      guard number > -0x1p63, number < 0x1p63 else { throw .overflow("int") }
      return .int(Int64(number))
    case .string(let text):
      guard isDecimal(text), let result = Int64(text) else { throw .cannotConvert(value, to: "int") }
      return .int(result)
    case .timestamp(let time): return .int(time.seconds)
    default: throw .noOverload
    }
  }

  @Sendable static func uint(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .uint: return value
    case .int(let number):
      guard let result = UInt64(exactly: number) else { throw .overflow("uint") }
      return .uint(result)
    case .double(let number):
      guard number >= 0, number < 0x1p64 else { throw .overflow("uint") }
      return .uint(UInt64(number))
    case .string(let text):
      guard isDecimal(text), let result = UInt64(text) else { throw .cannotConvert(value, to: "uint") }
      return .uint(result)
    default: throw .noOverload
    }
  }

  @Sendable static func double(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .double: return value
    case .int(let number): return .double(Double(number))
    case .uint(let number): return .double(Double(number))
    case .string(let text):
      switch text {
      case "NaN": return .double(.nan)
      case "Infinity", "+Infinity", "inf", "Inf", "+Inf": return .double(.infinity)
      case "-Infinity", "-inf", "-Inf": return .double(-.infinity)
      default:
        let isNumber = text.utf8.allSatisfy { byte in
          (48...57).contains(byte) || [UInt8](".eE+-".utf8).contains(byte)
        }
        guard isNumber, let result = Double(text), result.isFinite else { throw .cannotConvert(value, to: "double") }
        return .double(result)
      }
    default: throw .noOverload
    }
  }

  @Sendable static func string(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .string: return value
    case .int(let number): return .string(String(number))
    case .uint(let number): return .string(String(number))
    case .double(let number): return .string(number.text)
    case .bool(let condition): return .string(condition ? "true" : "false")
    case .timestamp(let time): return .string(time.rfc3339)
    case .duration(let span): return .string(span.text)
    case .bytes(let bytes):
      try frame.chargeBytes(bytes.count)
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .cannotConvert(value, to: "string") }
      return .string(text)
    default: throw .noOverload
    }
  }

  @Sendable static func bytes(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .bytes: return value
    case .string(let text):
      try frame.chargeBytes(text.utf8.count)
      return .bytes(Array(text.utf8))
    default: throw .noOverload
    }
  }

  @Sendable static func bool(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .bool: return value
    case .string(let text):
      switch text {
      case "1", "t", "T", "true", "TRUE", "True": return .bool(true)
      case "0", "f", "F", "false", "FALSE", "False": return .bool(false)
      default: throw .cannotConvert(value, to: "bool")
      }
    default: throw .noOverload
    }
  }

  @Sendable static func timestamp(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .timestamp: return value
    case .int(let seconds):
      guard Timestamp.range.contains(seconds) else { throw .overflow("timestamp") }
      return .timestamp(Timestamp(seconds: seconds))
    case .string(let text):
      guard text.utf8.count <= 100, let time = Timestamp(rfc3339: text) else {
        throw .cannotConvert(value, to: "timestamp")
      }
      return .timestamp(time)
    default: throw .noOverload
    }
  }

  @Sendable static func duration(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .duration: return value
    case .string(let text):
      guard text.utf8.count <= 200, let span = TimeSpan(text) else {
        throw .evaluation(
          LocalizedText(
            "this text is not a duration; write '1h30m' with the units h, m, s, ms, us, ns, or days(7) for days",
            de: "Dieser Text ist keine Dauer; '1h30m' mit den Einheiten h, m, s, ms, us, ns, oder days(7) für Tage"))
      }
      return .duration(span)
    default: throw .noOverload
    }
  }

  /// Whether a text is a decimal number with an optional sign: `String` takes more than that.
  private static func isDecimal(_ text: String) -> Bool {
    let bytes = text.utf8
    let digits =
      bytes.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } ?? false ? bytes.dropFirst() : bytes[...]
    return !digits.isEmpty && digits.allSatisfy { (48...57).contains($0) }
  }
}
