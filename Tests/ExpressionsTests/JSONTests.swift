import Expressions
import Testing

struct JSONTests {
  @Test(
    arguments: [
      ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("12", 12),
      ("-9223372036854775808", .int(.min)),
      ("9223372036854775807", .int(.max)), ("9223372036854775808", .uint(1 << 63)),
      ("18446744073709551615", .uint(.max)), ("18446744073709551616", .double(0x1p64)), ("1.0", 1.0), ("1e2", 100.0),
      ("-1.5E-1", -0.15),
      ("\"\"", ""), ("\"a\\n\\\"\\\\\\/\\u0041\\b\\f\\r\\t\"", "a\n\"\\/A\u{08}\u{0C}\r\t"),
      ("\"\\ud83d\\ude2c\"", "😬"), ("\"äöü😬\"", "äöü😬"),
      ("[]", []), ("[1, [2], {}]", [1, [2], [:]]), ("{}", [:]),
      ("{\"a\": 1, \"b\": {\"c\": [null]}}", ["a": 1, "b": ["c": [.null]]]),
      ("{\"a\": 1, \"a\": 2}", ["a": 2]), ("\u{20}\n\r\t1", 1), ("\"\\u0000\"", "\0"),
    ] as [(String, Value)])
  func reads(text: String, expected: Value) throws {
    #expect(try Value(json: text) == expected)
  }

  @Test(arguments: [
    ("", 0), ("  ", 2), ("nul", 0), ("truee", 4), ("01", 1), ("-", 1), ("+1", 0), ("1.", 2), (".5", 0), ("1e", 2),
    ("1e+", 3), ("0x1", 1),
    ("1e999", 0), ("\"a", 2), ("\"a\nb\"", 2), ("\"\\q\"", 2), ("\"\\u12g4\"", 5), ("\"\\ud83d\"", 1),
    ("\"\\ude2c\"", 1), ("\"\\ud83d\\u0041\"", 1),
    ("[1,]", 3), ("[1 2]", 3), ("[", 1), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{a:1}", 1),
    ("{\"a\":1", 6), ("1 2", 2), ("NaN", 0),
    ("'a'", 0), ("[1]]", 3), ("// x", 0),
  ])
  func refusesWithOffset(text: String, offset: Int) {
    let error = #expect(throws: ExpressionError.self) { try Value(json: text) }
    #expect(error?.code == .json)
    #expect(error?.range?.lowerBound == offset)
  }

  @Test func invalidUTF8IsRefusedWithOffset() {
    let quote = UInt8(ascii: "\"")
    for bytes in [[quote, 0x61, 0xFF, quote], [quote, 0x61, 0xC3, quote], [quote, 0x61, 0xED, 0xA0, 0x80, quote]]
      as [[UInt8]]
    {
      let error = #expect(throws: ExpressionError.self) { try Value(json: bytes) }
      #expect(error?.range?.lowerBound == 2)
    }
  }

  @Test func depthAndSizeAreLimited() throws {
    let nested = String(repeating: "[", count: 100_000)
    #expect(throws: ExpressionError.self) { try Value(json: nested) }
    let limits = JSONLimits(depth: 2, size: 20)
    #expect(try Value(json: "[[1]]", limits: limits) == [[1]])
    #expect(throws: ExpressionError.self) { try Value(json: "[[[1]]]", limits: limits) }
    #expect(throws: ExpressionError.self) { try Value(json: "\"aaaaaaaaaaaaaaaaaaaaaaa\"", limits: limits) }
  }

  @Test(
    arguments: [
      (.null, "null"), (true, "true"), (-5, "-5"), (.uint(18_446_744_073_709_551_615), "18446744073709551615"),
      (1.5, "1.5"), (3.0, "3.0"),
      (.double(.nan), "\"NaN\""), (.double(-.infinity), "\"-Infinity\""),
      ("a\"\\\n\u{01}é", "\"a\\\"\\\\\\n\\u0001é\""),
      (.bytes([0xFF, 0]), "\"/wA=\""), ([1, "a", []], "[1,\"a\",[]]"),
      (["b": 1, "a": ["c": .null]], "{\"b\":1,\"a\":{\"c\":null}}"),
      (.timestamp(Timestamp(seconds: 0, nanoseconds: 500_000_000)), "\"1970-01-01T00:00:00.5Z\""),
      (.duration(TimeSpan(nanoseconds: 1_500_000_000)), "\"1.5s\""), (.type(.int), "\"int\""), (.optional(nil), "null"),
      (.optional(1), "1"), (.map(ValueMap([(.int(1), "a"), (.bool(true), "b")])), "{\"1\":\"a\",\"true\":\"b\"}"),
    ] as [(Value, String)])
  func writes(value: Value, expected: String) {
    #expect(value.jsonString == expected)
  }

  @Test func prettyFormIndents() {
    let value: Value = ["a": [1, ["b": [:]]], "c": []]
    let text = String(decoding: value.json(pretty: true), as: UTF8.self)
    #expect(text == "{\n  \"a\": [\n    1,\n    {\n      \"b\": {}\n    }\n  ],\n  \"c\": []\n}")
  }

  @Test func everyTextComesBack() throws {
    var scalars = String.UnicodeScalarView()
    for code in stride(from: 0 as UInt32, to: 0x11_0000, by: 97) {
      if let scalar = Unicode.Scalar(code) { scalars.append(scalar) }
    }
    let value = Value.string(String(scalars))
    #expect(try Value(json: value.json()) == value)
  }

  @Test(arguments: [
    0.1, 1e21, 1e-7, 5e300, 123_456_789.125, -0.0, 3.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
  ])
  func everyDoubleComesBack(number: Double) throws {
    #expect(try Value(json: Value.double(number).json()) == .double(number))
  }

  @Test func largeObjectsKeepOrderAndLastValue() throws {
    let text = "{" + (0..<1000).map { "\"key\($0 % 900)\":\($0)" }.joined(separator: ",") + "}"
    let map = try #require(try Value(json: text).mapValue)
    #expect(map.count == 900)
    #expect(map["key5"] == 905)
    #expect(map.keys.first == .string("key0"))
  }

  @Test func nonContiguousBytesAreRead() throws {
    let bytes = Array("[1, 2]".utf8).lazy.map { $0 }
    #expect(try Value(json: bytes) == [1, 2])
  }

  @Test(
    arguments: [
      (.timestamp(Timestamp(seconds: 0)), "1970-01-01T00:00:00Z"),
      (.duration(TimeSpan(nanoseconds: 90_000_000_000)), "90s"),
      (.bytes([1, 2]), "AQI="), (.optional(nil), .null), (.optional(.uint(7)), 7), (.uint(.max), .uint(.max)),
      (.double(.nan), "NaN"), (1.0, 1.0), (.map(ValueMap([(.int(1), .uint(2))])), ["1": 2]),
      (["a": [.timestamp(Timestamp(seconds: 0))]], ["a": ["1970-01-01T00:00:00Z"]]),
    ] as [(Value, Value)])
  func formIsWhatJSONGivesBack(value: Value, expected: Value) throws {
    #expect(value.jsonForm == expected)
    #expect(value.jsonForm.jsonString == value.jsonString)
    #expect(try Value(json: value.json()).jsonForm == expected)
  }
}
