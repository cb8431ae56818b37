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
    let error = #expect(throws: ExpressionError.self) { try Value(json: "\"aaaaaaaaaaaaaaaaaaaaa\"", limits: limits) }
    #expect(error?.code == .jsonTooLarge)
  }

  @Test(arguments: [
    "[[0],[0],[0],[0],[0],[0]]", #"[{"a":0},{"a":0},{"a":0},{"a":0}]"#, "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]",
    #"["aaaaaaaaaaaaaaaa","aaaaaaaaaaaaaaaa","aaaaaaaaaaaaaaaa","aaaaaaaaaaaaaaaa","aaaaaaaaaaaaaaaa"]"#,
  ])
  func memoryOfTheValueIsLimited(text: String) throws {
    _ = try Value(json: text)
    let limits = JSONLimits(depth: 128, size: 64 << 20, decodedSize: 500)
    let error = #expect(throws: ExpressionError.self) { try Value(json: text, limits: limits) }
    #expect(error?.code == .jsonTooLarge)
    // A long string counts as what it is.
    #expect(throws: Never.self) { try Value(json: #"["\#(String(repeating: "a", count: 300))"]"#, limits: limits) }
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

  // Numbers with few digits have a way of their own.
  @Test func doublesAreWrittenAsTheShortestText() {
    var random: UInt64 = 5
    for number in 0..<6000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let digits = Double((random >> 11) >> (random % 50))
      let power = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e9, 1e-3][number % 10]
      for value in [digits / power, -(digits / power), (digits / power).nextUp, (digits / power).nextDown] {
        #expect(Value.double(value).jsonString == value.description)
      }
    }
    for value in [0, -0.0, 0.1, 1e9, 999_999_999.999999, 0.0001, 0.00009999, 0.000123, 0.0000005, 1 / 3] as [Double] {
      #expect(Value.double(value).jsonString == value.description)
    }
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

  // Strings are read and written eight bytes at a time: what is special may stand at any place of a word.
  @Test(arguments: ["\"", "\\", "\n", "\u{1}", "\u{1F}", "\u{7F}", "é", "€", "😬", "\u{10FFFF}"])
  func whatIsSpecialComesBackFromEveryPlace(special: String) throws {
    for length in 0..<20 {
      for place in 0...length {
        let text = String(repeating: "a", count: place) + special + String(repeating: "z", count: length - place)
        let value: Value = [text: [.string(text), .string(special + text + special)]]
        let json = value.json()
        #expect(try Value(json: json) == value)
        #expect(value.jsonSize == json.count)
      }
    }
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x41], [0x80], [0xBF], [0xE0, 0x9F, 0x80], [0xE2, 0x82],
      [0xE2, 0x41, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func whatIsNotUTF8IsRefusedAtEveryPlace(sequence: [UInt8]) {
    for prefix in ["", "a", "é", "abcdefg", "abcdefgh", "a\\n", "abcdefgh\\u0041"] {
      let bytes = Array("\"\(prefix)".utf8) + sequence + Array("abcdefgh\"".utf8)
      #expect(throws: ExpressionError.self) { try Value(json: bytes) }
      let error = #expect(throws: ExpressionError.self) {
        try Value(json: Array("\"\(prefix)".utf8) + sequence + [0x22])
      }
      #expect(error?.range?.lowerBound == prefix.utf8.count + 1)
    }
  }

  @Test(arguments: [
    "0.1", "0.30000000000000004", "123456.789", "9007199254740993.0", "9007199254740992e0", "1e22", "1e23", "1e-22",
    "1e-23", "123456789012345678901234567890.5", "0.000001", "-0.0", "5e-324", "2.2250738585072014e-308",
    "1.7976931348623157e308", "0e400", "1e-400", "4.35", "0.1e1", "100000000000000000000000e-23",
  ])
  func decimalsAreTheNearestDoubles(text: String) throws {
    let expected = try #require(Double(text))
    guard case .double(let number) = try Value(json: text) else {
      Issue.record("no double")
      return
    }
    #expect(number.bitPattern == expected.bitPattern)
  }

  @Test func manyDecimalsAreTheNearestDoubles() throws {
    var random: UInt64 = 17
    func next() -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return random >> 11
    }
    var texts = (0..<2000).map { number -> String in
      let digits = String(next() >> (next() % 53) | 1) + (number % 3 == 0 ? String(next() % 1000) : "")
      return "\(digits.prefix(19)).\(next() % 100_000)e\(Int(next() % 70) - 40)"
    }
    // Half-way between two doubles, and beside that.
    for _ in 0..<300 {
      let double = Double(bitPattern: 0x4340_0000_0000_0000 | next() >> 1)
      let middle = UInt64(double) + UInt64(double.ulp) / 2
      texts += [middle - 1, middle, middle + 1].flatMap { ["\($0).0", "\($0)0e-1", "-\($0)e0", "\($0)e3"] }
    }
    texts += (0..<1000).map { _ in Double(bitPattern: 0x3E00_0000_0000_0000 &+ next() << 4).description }
    for text in texts {
      let expected = try #require(Double(text))
      let value = try Value(json: text)
      #expect(value == .double(expected), "\(text)")
    }
  }

  @Test func everyCharacterIsReadAsItselfAndByItsEscape() throws {
    func hexadecimal(_ unit: UInt16) -> String {
      let digits = String(unit, radix: 16, uppercase: unit % 2 == 0)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    let scalars = (UInt32(0x20)..<0x11_0000).filter { $0 < 0x900 || $0 % 389 == 0 }
    for scalar in scalars.compactMap(Unicode.Scalar.init) where scalar != "\"" && scalar != "\\" {
      let text = String(scalar)
      let escape = text.utf16.map(hexadecimal).joined()
      // Alone, among its like, and behind characters of other lengths.
      for (plain, written) in [
        (text, escape), (text + text + text + text + text, escape + text + escape + escape + text),
      ] {
        #expect(try Value(json: "\"\(plain)\"") == .string(plain))
        #expect(try Value(json: "\"\(written)\"") == .string(plain))
        #expect(try Value(json: "\"é\(plain)€\"") == .string("é\(plain)€"))
      }
    }
  }

  // Characters are checked several at a time: the fault may be any of them.
  @Test(arguments: ["éàöüéàöü", "这是一个测试这是", "aé这😬aé这😬", "กขคงกขคง", "한국어한국어한국"])
  func aDamagedByteIsFoundAmongCharacters(text: String) {
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      for damage in [0x00, 0x80, 0xC0, 0xC1, 0xE0, 0xED, 0xF5, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[place] = damage
        let isText = String(validating: damaged, as: UTF8.self) != nil && damage >= 0x20
        let value = try? Value(json: [0x22] + damaged + [0x22])
        #expect((value != nil) == isText, "\(damaged)")
      }
    }
  }

  @Test(arguments: [
    "\\u004", "\\u00g1", "\\u0:41", "\\u@041", "\\u`041", "\\u004/", "\\u00é1", "\\u\u{1}041", "\\uG041",
  ])
  func whatIsNoHexadecimalNumberIsRefused(escape: String) {
    for rest in ["", "z", "zzzzzzzz"] {
      #expect(throws: ExpressionError.self) { try Value(json: "\"a\(escape)\(rest)\"") }
    }
  }

  @Test(arguments: [1, 7, 15, 16, 17, 18, 40])
  func repeatedNamesCountOnceInObjectsOfEverySize(count: Int) throws {
    let names = (0..<count).map { "name\($0)" }
    let members = (names + [names[0], "n\\u0061me0"]).enumerated().map { "\"\($1)\":\($0)" }
    let map = try #require(try Value(json: "{" + members.joined(separator: ",") + "}").mapValue)
    #expect(map.keys == names.map { .string($0) })
    #expect(map["name0"] == .int(Int64(count + 1)))
    #expect(map["absent"] == nil)
  }

  // The rows share what tells where their names stand.
  @Test(arguments: [17, 33, 40, 70], [false, true])
  func rowsOfATableChangeEachOnItsOwn(columns: Int, hasRepeated: Bool) throws {
    let names = (0..<columns).map { "name\($0)" }
    let row = (names + (hasRepeated ? ["name3"] : [])).map { "\"\($0)\":\"\($0)!\"" }.joined(separator: ",")
    let rows = try #require(
      try Value(json: "[" + Array(repeating: "{\(row)}", count: 3).joined(separator: ",") + "]").listValue)
    var maps = rows.compactMap(\.mapValue)
    maps[1]["name0"] = nil
    maps[1]["new"] = 1
    for index in [0, 2] {
      #expect(maps[index].count == columns && maps[index]["new"] == nil)
      for name in names { #expect(maps[index][name] == .string(name + "!")) }
    }
    #expect(maps[1]["new"] == 1 && maps[1]["name0"] == nil && maps[1]["name5"] == "name5!")
  }

  @Test func sizeIsThatOfTheText() {
    let value: Value = [
      "a": [
        .null, true, false, -5, 1.5, .uint(.max), .bytes([1, 2]), .duration(TimeSpan(nanoseconds: 90_000_000_000)),
      ],
      "b": [], "c": [:], "d": .optional(nil), "e": .optional("x\ty"), "f": .double(.nan), "g": .type(.int),
      "h": .map(ValueMap([(.int(1), "a"), (.bool(true), "b")])), "i": .timestamp(Timestamp(seconds: 0)),
    ]
    #expect(value.jsonSize == value.json().count)
    #expect(Value.null.jsonSize == 4)
    let deep = (0..<1100).reduce(Value.null) { inner, _ in [inner] }
    #expect(deep.jsonSize == deep.json().count)
  }

  // What is remembered of one object must not be seen in the next one.
  @Test func objectsBesideEachOtherAreReadAsOnTheirOwn() throws {
    let wide = { (names: [Int]) in "{" + names.map { "\"name\($0)\":\($0)" }.joined(separator: ",") + "}" }
    let objects =
      [
        #"{"a":1,"b":2}"#, #"{"b":1,"a":2}"#, #"{"a":1}"#, #"{"a":1,"b":2,"c":3}"#, #"{"a":1,"b":2,"a":3}"#, "{}",
        #"{"a":1,"\u0061":2}"#, #"{"ab":1,"b":2}"#, #"{ "a" : 1 , "b" : 2 }"#, #"{"a":{"a":1,"b":{"a":2}},"b":2}"#,
        #"{"é":1,"a":2}"#, #"{"é":1,"é":2}"#, #"{"":1,"a":2}"#, #"{"a\"b":1}"#, #"{"a name of many letters":1,"b":2}"#,
        #"{"a name of many Letters":1,"b":2}"#, wide(Array(0..<40)), wide(Array((0..<40).reversed())),
        wide(Array(0..<40) + [0]),
        // More names than are remembered.
      ] + (0..<5000).map { #"{"x\#($0)":1,"x\#($0 / 2)":2}"# }
    for list in [objects + objects, objects.reversed() + objects] {
      let alone = try list.map { try Value(json: $0).jsonString }
      #expect(
        try Value(json: "[" + list.joined(separator: ",") + "]").jsonString == "[" + alone.joined(separator: ",") + "]")
    }
  }

  @Test func wholeNumbersOfEveryLengthComeBack() throws {
    let powers = (0..<19).map { (0..<$0).reduce(Int64(1)) { power, _ in power * 10 } }
    for number in powers.flatMap({ [$0 - 1, $0, $0 + 1, $0 / 7 * 9, -$0] }) + [.min, .max] {
      #expect(try Value(json: "[\(number), \(number)]") == [.int(number), .int(number)])
      #expect(Value.int(number).jsonString == String(number))
    }
  }
}
