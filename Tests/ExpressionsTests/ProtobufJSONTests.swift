import Expressions
import Testing

struct ProtobufJSONTests {
  @Test(
    arguments: [
      .null, true, 1, .uint(2), 2.5, "a", .bytes([1, 2]), [], [1, ["a"]], [:], ["a": 1],
      .map(ValueMap([(.int(1), "x"), (.bool(false), .null)])), .timestamp(Timestamp(seconds: 5, nanoseconds: 6)),
      .duration(TimeSpan(nanoseconds: -1)), .double(.nan), .double(.infinity), .type(.int), .int(.min), .uint(.max),
    ] as [Value])
  func everyValueComesBack(value: Value) throws {
    #expect(try Value(protobufJSON: Value(json: value.protobufJSON.json())) == value)
  }

  @Test func documentedFormsAreRead() throws {
    #expect(try Value(protobufJSON: ["int64_value": "1"]) == 1)
    #expect(try Value(protobufJSON: ["int64Value": 1]) == 1)
    #expect(try Value(protobufJSON: ["double_value": "-Infinity"]) == .double(-.infinity))
    #expect(try Value(protobufJSON: ["double_value": 1]) == 1.0)
    #expect(try Value(protobufJSON: ["type_value": "google.protobuf.Duration"]) == .type(.duration))
    #expect(Value.int(1).protobufJSON.jsonString == "{\"int64_value\":\"1\"}")
  }

  @Test(
    arguments: [
      1, [:], ["int64_value": "x"], ["what": 1], ["bytes_value": "%"], ["object_value": ["@type": "x"]],
      ["list_value": ["values": [1]]],
    ] as [Value])
  func malformedFormsAreRefused(json: Value) {
    let error = #expect(throws: ExpressionError.self) { try Value(protobufJSON: json) }
    #expect(error?.code == .json)
  }

  @Test(
    arguments: [
      .dynamic, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .list(.int),
      .map(.string, .dynamic),
      .optional(.int), .type(.int), .parameter("T"), .abstract("tuple", [.int, .parameter("U")]),
    ] as [ValueType])
  func everyTypeComesBack(type: ValueType) throws {
    #expect(try ValueType(protobufJSON: Value(json: type.protobufJSON.json())) == type)
  }

  @Test func declarationsBecomeAnEnvironment() throws {
    let declarations = try Value(
      json: """
        [{"name": "x", "ident": {"type": {"primitive": "INT64"}}},
         {"name": "f", "function": {"overloads": [{"params": [{"type_param": "A"}], "result_type": {"type_param": "A"}}]}}]
        """)
    let environment = try Environment(protobufJSON: declarations, container: "c")
    #expect(environment.variables == ["x": .int])
    #expect(environment.container == "c")
    #expect(try Expression("[f(x)]", in: environment).resultType == .list(.int))
  }
}
