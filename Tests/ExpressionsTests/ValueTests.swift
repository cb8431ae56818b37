import Expressions
import Testing

struct ValueTests {
  @Test func equalityIsExact() {
    #expect(Value.int(1) != .double(1))
    #expect(Value.int(1) != .uint(1))
    #expect(Value.string("\u{E9}") != .string("e\u{301}"))
    #expect(Value.double(.nan) == .double(.nan))
    #expect(["a": 1, "b": 2] as Value == ["b": 2, "a": 1])
    #expect([1, 2] as Value != [2, 1])
    #expect(Value.optional(nil) != .null)
  }

  @Test func equalValuesHashAlike() {
    let pairs: [(Value, Value)] = [
      (["a": 1, "b": 2], ["b": 2, "a": 1]), (.double(0), .double(-0.0)), (.double(.nan), .double(-.nan)),
      (.map(ValueMap([(.int(1), 1)])), .map(ValueMap([(.uint(1), 1)]))),
    ]
    for (left, right) in pairs {
      #expect(left == right)
      #expect(left.hashValue == right.hashValue)
    }
  }

  @Test func accessorsGiveWhatIsThere() {
    let value: Value = ["name": "Ada", "age": 36, "tags": ["a"], "size": 1.5, "ok": true, "whole": 2.0]
    #expect(value["name"]?.stringValue == "Ada")
    #expect(value["age"]?.intValue == 36)
    #expect(value["age"]?.doubleValue == 36)
    #expect(value["whole"]?.intValue == 2)
    #expect(value["size"]?.intValue == nil)
    #expect(value["ok"]?.boolValue == true)
    #expect(value["tags"]?[0] == "a")
    #expect(value["tags"]?[1] == nil)
    #expect(value["nothing"] == nil)
    #expect(Value.uint(.max).intValue == nil)
    #expect(value.mapValue?.count == 6)
    #expect(Value.null.isNull)
    #expect(Value.timestamp(Timestamp(seconds: 0)).typeName == "google.protobuf.Timestamp")
  }
}

struct ValueMapTests {
  @Test(arguments: [0, 1, 8, 9, 10, 100])
  func entriesAreFoundAtEverySize(count: Int) {
    var map = ValueMap()
    for number in 0..<count { map["key\(number)"] = .int(Int64(number)) }
    #expect(map.count == count)
    for number in 0..<count { #expect(map["key\(number)"] == .int(Int64(number))) }
    #expect(map["other"] == nil)
    #expect(map.keys == (0..<count).map { .string("key\($0)") })
  }

  @Test func largeMapsChangeAsDictionariesDo() {
    var map = ValueMap()
    var expected: [MapKey: Value] = [:]
    for number in 0..<Int64(400) {
      let key: MapKey =
        switch number % 4 {
        case 0: .int(number * 7 % 50 - 10)
        case 1: .uint(UInt64(number * 7 % 50))
        case 2: .string("a name of more than eight letters, \(number * 7 % 50)")
        default: .bool(number % 8 == 3)
        }
      map[key] = number % 5 == 4 ? nil : .int(number)
      expected[key] = number % 5 == 4 ? nil : .int(number)
      #expect(map.count == expected.count)
    }
    #expect(map.count > 40)
    for (key, value) in expected { #expect(map[key] == value) }
    for (key, value) in map.entries { #expect(expected[key] == value) }
  }

  @Test func removalKeepsTheOthers() {
    var map = ValueMap((0..<12).map { (key: .int($0), value: .int($0 * 2)) })
    for number in stride(from: 0, to: 12, by: 2) { map[.int(Int64(number))] = nil }
    #expect(map.entries.map(\.value) == [2, 6, 10, 14, 18, 22])
    #expect(map[.uint(11)] == 22)
    map[.int(99)] = nil
    #expect(map.count == 6)
  }

  @Test func literalKeepsTheLastOfEqualKeys() {
    let map: ValueMap = ["a": 1, "b": 2, "a": 3]
    #expect(map.entries.map(\.key.text) == ["a", "b"])
    #expect(map["a"] == 3)
  }

  @Test func keysCompareByBytes() {
    let map: ValueMap = ["\u{E9}": 1, "e\u{301}": 2]
    #expect(map.count == 2)
    #expect(map["e\u{301}"] == 2)
  }
}
