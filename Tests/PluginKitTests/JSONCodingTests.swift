import Foundation
import PluginKit
import PluginKitTesting
import Testing

/// How Codable types cross the boundary, seen through an action that returns its input.
@Suite(.timeLimit(.minutes(5)))
struct JSONCodingTests {
  struct Everything: Codable, Equatable, Sendable {
    enum Colour: String, Codable, Sendable { case lightGreen, red }
    struct Inner: Codable, Equatable, Sendable { var innerURL: URL }

    var shortText: String
    var bigNumber: UInt64
    var smallNumber: Int8
    var ratio: Double
    var whole: Double
    var isSet: Bool
    var favouriteColour: Colour
    var missing: String?
    var createdAt: Date
    var precisely: Date
    var rawData: Data
    var innerList: [Inner]
    var byName: [String: Inner]
    var byNumber: [Int: String]
    var mailUID: Int
  }

  static let value = Everything(
    shortText: "ü\"\\\u{1}", bigNumber: 1 << 40, smallNumber: -128, ratio: 0.1, whole: 2, isSet: true,
    favouriteColour: .lightGreen, missing: nil, createdAt: Date(timeIntervalSince1970: 1_800_000_000),
    precisely: Date(timeIntervalSince1970: 1_800_000_000.25), rawData: Data([0, 255]),
    innerList: [.init(innerURL: URL(fileURLWithPath: "/a"))],
    byName: ["keepMyName": .init(innerURL: URL(fileURLWithPath: "/b"))], byNumber: [3: "three"], mailUID: 9)

  let courier: InMemoryHost.OpenPlugin<Courier>

  init() throws {
    courier = try InMemoryHost().open(Courier.self, configuration: ["sender_name": "Carl"])
  }

  @Test func everythingMakesTheRoundTrip() async throws {
    let output = try await courier.call("courier.echo", JSONCodingTests.value, returning: Everything.self)
    #expect(output == JSONCodingTests.value)
  }

  @Test func namesAndSpecialTypesAreAsDocumented() async throws {
    let json = try await courier.call("courier.echo", JSONCodingTests.value, returning: JSONValue.self)
    #expect(json["mail_uid"] == 9)
    #expect(json["created_at"] == "2027-01-15T08:00:00Z")
    #expect(json["precisely"] == "2027-01-15T08:00:00.250Z")
    #expect(json["raw_data"] == "AP8=")
    #expect(json["inner_list"] == [["inner_url": "file:///a"]])
    #expect(json["by_name"] == ["keepMyName": ["inner_url": "file:///b"]])
    #expect(json["favourite_colour"] == "lightGreen")
    #expect(json["whole"] == 2.0)
    #expect(json["missing"] == nil)
  }

  @Test func membersKeepTheirOrderBothWays() async throws {
    let text = #"{"zebra":1,"apple":{"y":[],"x":null},"mango":"m"}"#
    let value = try JSONValue(json: Array(text.utf8))
    #expect(value.json == text)
    #expect(value.object?.keys == ["zebra", "apple", "mango"])
    // Foundation's own coders keep to no order, but lose nothing.
    let other = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(value))
    #expect(other == value && other.hashValue == value.hashValue)
    #expect(try JSONDecoder().decode(JSONObject.self, from: Data(text.utf8)) == value.object)
  }

  @Test func largeObjectsChangeAsDictionariesDo() {
    var object = JSONObject()
    var expected: [String: JSONValue] = [:]
    for number in 0..<300 {
      let name = "a name \(number * 7 % 100)"
      object[name] = .integer(Int64(number))
      expected[name] = .integer(Int64(number))
      let other = "a name \(number * 11 % 100)"
      object[other] = number % 3 == 0 ? nil : object[other]
      expected[other] = number % 3 == 0 ? nil : expected[other]
    }
    #expect(object.count == expected.count && object.count > 32)
    for number in 0..<110 { #expect(object["a name \(number)"] == expected["a name \(number)"]) }
  }

  @Test func objectsChangeAsDictionariesDo() {
    var object: JSONObject = ["b": 1, "a": 2, "b": 3]
    #expect(object.description == #"{"b":3,"a":2}"#)
    object["c"] = 4
    object["b"] = nil
    object["a"] = 5
    #expect(object.map(\.key) == ["a", "c"] && object.values == [5, 4] && object.count == 2)
    #expect(object.removeValue(forKey: "a") == 5 && object.removeValue(forKey: "a") == nil)
    #expect(object.merging(["d": 1, "c": 2]) { own, _ in own }.description == #"{"c":4,"d":1}"#)
    #expect(object["x", default: 7] == 7 && !object.isEmpty && JSONObject().isEmpty)
    #expect(["x": 1, "y": 2] as JSONObject == ["y": 2, "x": 1])
  }

  @Test(arguments: [
    ("{\"a\": 1e400}", 6), ("{\"a\": 01}", 7), ("[1,]", 3), ("{\"a\" 1}", 5), ("\"\u{1}\"", 1), ("\"\\x\"", 3),
    ("nul", 0), ("[1] 2", 4), ("", 0), ("\"\\u12", 3), (String(repeating: "[", count: 300), 256), ("-", 1),
  ])
  func malformedTextIsRefusedWithItsPlace(json: String, offset: Int) {
    let error = #expect(throws: ActionError.self) { try JSONValue(json: Array(json.utf8)) }
    #expect(error?.kind == .parse)
    #expect(error?.message.contains("byte \(offset):") == true, "\(error?.message ?? "")")
  }

  @Test(
    arguments: [
      (#""😀 \/\b\f\n\r\t""#, .string("😀 /\u{8}\u{C}\n\r\t")),
      (#""\ud83d\ude00""#, .string("😀")),
      (#""\ud83d!""#, .string("\u{FFFD}!")),
      (#""\ud83dA""#, .string("\u{FFFD}A")),
      ("9223372036854775807", .integer(.max)),
      ("9223372036854775808", .number(9223372036854775808)),
      ("-0.5e1", .number(-5)),
      (" [ ] ", .array([])),
      (#"{"a":1,"a":2}"#, ["a": 2]),
    ] as [(String, JSONValue)])
  func wellFormedTextIsRead(json: String, value: JSONValue) throws {
    #expect(try JSONValue(json: Array(json.utf8)) == value)
  }

  @Test func textThatIsNotUTF8IsRefused() {
    #expect(throws: ActionError(.parse, "")) { try JSONValue(json: [0x22, 0xff, 0x22]) }
  }

  @Test(
    arguments: [
      (["small_number": 128], "small_number"), (["ratio": "x"], "ratio"),
      (["inner_list": [["inner_url": 1]]], "inner_list[0].inner_url"),
      (["created_at": "yesterday"], "created_at"), (["favourite_colour": "blue"], "favourite_colour"),
      (["by_name": ["keepMyName": [:]]], "by_name.keepMyName.inner_url"), (["raw_data": "?"], "raw_data"),
    ] as [(JSONValue, String)])
  func whatDoesNotFitNamesItsPlace(change: JSONValue, path: String) async throws {
    guard
      case .object(var members) = try await courier.call(
        "courier.echo", JSONCodingTests.value, returning: JSONValue.self), case .object(let changes) = change
    else {
      Issue.record("no object")
      return
    }
    members.merge(changes) { $1 }
    let error = await #expect(throws: ActionError.self) {
      try await courier.call("courier.echo", JSONValue.object(members), returning: Everything.self)
    }
    #expect(error?.message.contains("'\(path)'") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [1, 15, 16, 17, 40])
  func repeatedNamesCountOnceInObjectsOfEverySize(count: Int) throws {
    let names = (0..<count).map { "name\($0)" }
    let members = (names + [names[0], "n\\u0061me0"]).enumerated().map { "\"\($1)\":\($0)" }
    let object = try #require(try JSONValue(json: Array(("{" + members.joined(separator: ",") + "}").utf8)).object)
    #expect(object.keys == names)
    #expect(object["name0"] == .integer(Int64(count + 1)))
    #expect(object["absent"] == nil)
  }

  // The rows share what tells where their names stand.
  @Test(arguments: [33, 40, 70], [false, true])
  func rowsOfATableChangeEachOnItsOwn(columns: Int, hasRepeated: Bool) throws {
    let names = (0..<columns).map { "name\($0)" }
    let row = (names + (hasRepeated ? ["name3"] : [])).map { "\"\($0)\":\"\($0)!\"" }.joined(separator: ",")
    let text = "[" + Array(repeating: "{\(row)}", count: 3).joined(separator: ",") + "]"
    var rows = try #require(try JSONValue(json: Array(text.utf8)).array).compactMap(\.object)
    rows[1]["name0"] = nil
    rows[1]["new"] = 1
    for index in [0, 2] {
      #expect(rows[index].count == columns && rows[index]["new"] == nil)
      for name in names { #expect(rows[index][name] == .string(name + "!")) }
    }
    #expect(rows[1]["new"] == 1 && rows[1]["name0"] == nil && rows[1]["name5"] == "name5!")
  }

  @Test(arguments: [0, 40])
  func namesAreEqualAsTextIs(others: Int) throws {
    // "é" in two ways, and the sign of kelvin, which is a K.
    let rest = (0..<others).map { ",\"name\($0)\":0" }.joined()
    let text = "{\"\u{E9}\":1,\"K\":3\(rest),\"e\u{301}\":2,\"\u{212A}\":4}"
    let object = try #require(try JSONValue(json: Array(text.utf8)).object)
    #expect(object.count == 2 + others && object["\u{E9}"] == 2 && object["K"] == 4)
    #expect(object["e\u{301}"] == 2 && object["\u{212A}"] == 4)
  }

  @Test(arguments: ["\"", "\\", "\n", "\u{1}", "é", "😬"])
  func whatIsSpecialComesBackFromEveryPlace(special: String) throws {
    for length in 0..<20 {
      for place in 0...length {
        let text = String(repeating: "a", count: place) + special + String(repeating: "z", count: length - place)
        let value: JSONValue = .array([.string(text), .string(special + text)])
        #expect(try JSONValue(json: Array(value.json.utf8)) == value)
      }
    }
  }

  @Test func aNumberThatJSONLacksBecomesNull() {
    #expect(JSONValue.array([.number(.infinity)]).json == "null")
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
      let alone = try list.map { try JSONValue(json: Array($0.utf8)).json }
      #expect(
        try JSONValue(json: Array(("[" + list.joined(separator: ",") + "]").utf8)).json == "["
          + alone.joined(separator: ",") + "]")
    }
  }
}
