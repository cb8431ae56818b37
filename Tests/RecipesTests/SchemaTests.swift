import Expressions
import Localization
import Testing

@testable import RecipeModel
@testable import RecipeSyntax
@testable import Schemas

/// A schema or value written as YAML.
private func yaml(_ text: String) throws -> Value {
  let result = YAMLDocument.parse(SourceText(path: "t", text: text))
  try #require(result.diagnostics.isEmpty)
  return try #require(result.document?.root).value
}

@Suite struct SchemaTests {
  @Test(arguments: [
    ("{ type: string }", "a", []), ("{ type: string }", "1", ["wrong_type:"]),
    ("{ type: integer }", "1.0", []), ("{ type: integer }", "1.5", ["wrong_type:"]),
    ("{ type: number }", "1", []), ("{ type: number }", "'1'", ["wrong_type:"]),
    ("{ type: boolean }", "true", []), ("{ type: boolean }", "yes", ["wrong_type:"]),
    ("{ type: 'null' }", "~", []), ("{ type: [string, 'null'] }", "~", []),
    ("{ type: [string, 'null'] }", "1", ["wrong_type:"]),
    ("{ type: array, items: { type: integer } }", "[1, a, 2, b]", ["wrong_type:[1]", "wrong_type:[3]"]),
    ("{ type: array, minItems: 1 }", "[]", ["invalid_value:"]),
    ("{ type: array, maxItems: 1 }", "[1, 2]", ["invalid_value:"]),
    ("{ uniqueItems: true }", "[1, 2, 1]", ["invalid_value:[2]"]),
    ("{ uniqueItems: true }", "[1, 1.0]", ["invalid_value:[1]"]),
    ("{ required: [a, b] }", "{ a: 1 }", ["missing_key:"]),
    (
      "{ properties: { a: { type: string }, b: { properties: { c: { type: integer } } } } }", "{ a: 1, b: { c: x } }",
      ["wrong_type:a", "wrong_type:b.c"]
    ),
    ("{ properties: { a: true }, additionalProperties: false }", "{ a: 1, b: 2 }", ["unknown_key:b"]),
    ("{ additionalProperties: { type: string } }", "{ a: x, b: 2 }", ["wrong_type:b"]),
    ("{ enum: [a, b, 3] }", "3", []), ("{ enum: [a, b, 3] }", "c", ["invalid_value:"]),
    ("{ const: 1 }", "1", []), ("{ const: 1 }", "2", ["invalid_value:"]),
    ("{ minimum: 1, maximum: 3 }", "1", []), ("{ minimum: 1 }", "0", ["invalid_value:"]),
    ("{ maximum: 3 }", "3.5", ["invalid_value:"]), ("{ exclusiveMinimum: 1 }", "1", ["invalid_value:"]),
    ("{ exclusiveMaximum: 3 }", "3", ["invalid_value:"]), ("{ exclusiveMaximum: 3 }", "2.9", []),
    ("{ minLength: 2 }", "äö", []), ("{ minLength: 2 }", "ä", ["invalid_value:"]),
    ("{ maxLength: 1 }", "😀", []), ("{ maxLength: 1 }", "ab", ["invalid_value:"]),
    ("{ pattern: '^a+$' }", "aaa", []), ("{ pattern: '^a+$' }", "ab", ["invalid_value:"]),
    ("{ pattern: b }", "abc", []),
    ("{ anyOf: [{ type: string }, { type: integer }] }", "1", []),
    ("{ anyOf: [{ type: string }, { type: integer }] }", "true", ["wrong_type:"]),
    ("{ anyOf: [{ required: [a] }, { required: [b] }] }", "{ c: 1 }", ["missing_key:"]),
    ("{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }", "2", ["invalid_value:"]),
    ("{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }", "5", []),
    ("{ allOf: [{ minimum: 1 }, { maximum: 3 }] }", "5", ["invalid_value:"]),
    ("{ $ref: '#/$defs/n', $defs: { n: { type: integer } } }", "x", ["wrong_type:"]),
    ("{ $ref: '#/$defs/n', minimum: 2, $defs: { n: { type: integer } } }", "1", ["invalid_value:"]),
    ("{ $defs: { 'a/b': { type: integer } }, $ref: '#/$defs/a~1b' }", "x", ["wrong_type:"]),
    ("false", "1", ["invalid_value:"]), ("true", "1", []), ("{}", "[1]", []),
    ("{ format: date-time }", "2027-01-01T08:00:00+01:00", []), ("{ format: date-time }", "x", ["invalid_value:"]),
    ("{ format: unheard-of }", "x", []),
  ])
  func valuesAreCompared(schema: String, value: String, expected: [String]) throws {
    let violations = Schema(document: try yaml(schema)).validate(try yaml(value))
    #expect(violations.map { "\($0.code.rawValue):\($0.pathText)" } == expected)
  }

  @Test func recursiveSchemasAndDeepValuesEnd() throws {
    let schema = Schema(document: try yaml("{ $ref: '#' }"))
    #expect(schema.validate(.int(1)).first?.code == .invalidSchema)
    let tree = Schema(document: try yaml("{ type: array, items: { $ref: '#' } }"))
    var value = Value.list([])
    for _ in 0..<30 { value = .list([value]) }
    #expect(tree.validate(value).isEmpty)
  }

  @Test(arguments: [
    ("date-time", "2027-02-29T00:00:00Z", false), ("date-time", "2028-02-29T23:59:60.123Z", true),
    ("date-time", "2027-01-01T24:00:00Z", false), ("date-time", "2027-01-01 08:00:00Z", false),
    ("date-time", "2027-01-01T08:00:00", false), ("date-time", "2027-01-01T08:00:00-0100", false),
    ("date", "2027-12-31", true), ("date", "2027-13-01", false), ("date", "2027-1-1", false),
    ("email", "a@example.com", true), ("email", "a@b@c", false), ("email", "a", false), ("email", "a b@c.d", false),
    ("email", "@x.y", false), ("address", "me@example.com", true),
    ("address", "Jörg Müller <jörg@müller.example>", true),
    ("address", "\"a b\"@example.com", true), ("address", "<me@localhost>", true), ("address", "me@[192.0.2.1]", true),
    ("address", "\"Me @ work\" <me@example.com>", true), ("address", "me", false), ("address", "@example.com", false),
    ("address", "me@", false), ("address", "me@@example.com", false), ("address", "me@exam ple.com", false),
    ("address", "Me me@example.com", false), ("address", "Me <me>", false), ("address", "Me <me@example.com", false),
    ("address", "Me <me@example.com> x", false), ("address", "a@b.c, d@e.f", false), ("address", "me@b..c", false),
    ("address", "me@b.", false), ("address", "a\nb@c.d", false), ("address", "", false), ("address", "<>", false),
    ("uri", "https://example.com/x?y#z", true), ("uri", "mailto:a@b", true),
    ("uri", "example.com", false), ("uri", "http://a b", false), ("duration", "1m30s", true),
    ("duration", "P1DT2H", true), ("duration", "PT", false), ("duration", "soon", false), ("duration", "P1S", false),
  ])
  func formatsAreChecked(format: String, text: String, isValid: Bool) {
    let schema = Schema(document: .map(["format": .string(format)]))
    #expect(schema.validate(.string(text)).isEmpty == isValid)
  }

  @Test(arguments: [
    ("{ type: strin }", ["type"]), ("{ type: [string, x] }", ["type[1]"]), ("{ type: 1 }", ["type"]),
    ("{ properties: { a: { minimum: x } } }", ["properties.a.minimum"]), ("{ properties: [a] }", ["properties"]),
    ("{ required: a }", ["required"]), ("{ enum: [] }", ["enum"]), ("{ items: 3 }", ["items"]),
    ("{ anyOf: [] }", ["anyOf"]), ("{ anyOf: [{ type: x }] }", ["anyOf[0].type"]), ("{ minLength: -1 }", ["minLength"]),
    ("{ pattern: '(' }", ["pattern"]), ("{ $ref: '#/$defs/x' }", ["$ref"]), ("{ $ref: 'http://x' }", ["$ref"]),
    ("{ uniqueItems: 1 }", ["uniqueItems"]), ("{ description: 1 }", ["description"]), ("3", [""]),
    ("{ type: object, properties: { a: { type: string } }, x-own: 1 }", []), ("true", []),
    ("{ minimum: 3, maximum: 2 }", ["maximum"]), ("{ maximum: 2, minimum: 3 }", ["minimum"]),
    ("{ minimum: 3, maximum: 3 }", []), ("{ minimum: 3, exclusiveMaximum: 3 }", ["exclusiveMaximum"]),
    ("{ exclusiveMinimum: 3.5, maximum: 3.5 }", ["maximum"]), ("{ minimum: -1, maximum: x }", ["maximum"]),
    ("{ minLength: 3, maxLength: 2 }", ["maxLength"]), ("{ maxItems: 0, minItems: 1 }", ["minItems"]),
    ("{ type: string, enum: [a, 1] }", ["enum[1]"]), ("{ type: [string, 'null'], enum: [a, null] }", []),
    ("{ properties: { a: { type: integer, default: x } } }", ["properties.a.default"]),
    ("{ items: { properties: { a: { enum: [x] } }, default: { a: y } } }", ["items.default.a"]),
    ("{ items: { type: strin, default: 1 } }", ["items.type"]), ("{ type: integer, default: x }", []),
    ("{ format: emial }", []), ("{ format: 1 }", ["format"]),
  ])
  func schemasAreCheckedThemselves(schema: String, paths: [String]) throws {
    #expect(Schema(document: try yaml(schema)).problems().map(\.pathText) == paths)
  }

  @Test func aFormatThatIsNotCheckedIsDoubtful() throws {
    let remarks = Schema(document: try yaml("{ properties: { a: { format: emial }, b: { format: email } } }")).remarks()
    #expect(remarks.map(\.pathText) == ["properties.a.format"])
    #expect(remarks.map(\.severity) == [.warning])
    #expect(remarks.map(\.suggestion) == ["email"])
  }

  @Test func defaultsAreFilledInAtEveryLevel() throws {
    let schema = Schema(
      document: try yaml(
        """
        properties:
          a: { default: 1 }
          b: { properties: { c: { default: x } } }
          d: { items: { properties: { e: { default: true } } } }
          f: { $ref: '#/$defs/f' }
        $defs: { f: { default: 9 } }
        """))
    let filled = schema.fillingDefaults(try yaml("{ b: {}, d: [{}, { e: false }] }"))
    #expect(filled == (try yaml("{ a: 1, b: { c: x }, d: [{ e: true }, { e: false }], f: 9 }")))
  }

  @Test(arguments: [
    ("{ type: string }", "20", Value.string("20")), ("{ type: integer }", "20", .int(20)),
    ("{ type: integer }", "0x10", .int(16)), ("{ type: number }", "1.5", .double(1.5)),
    ("{ type: boolean }", "true", .bool(true)), ("{ type: [integer, string] }", "7", .int(7)),
    ("{ type: [integer, string] }", "x", .string("x")), ("{ type: [string, 'null'] }", "~", .null),
    ("{ type: array, items: { type: string } }", "a", .list([.string("a")])),
    ("{ type: array, items: { type: string } }", "[a, b]", .list([.string("a"), .string("b")])),
    ("{ type: array, items: { type: integer } }", "3", .list([.int(3)])),
    ("{ type: object }", "{\"a\": 1}", .map(["a": .int(1)])), ("{}", "20", .int(20)), ("{}", "no", .string("no")),
    ("{ enum: ['1', '2'] }", "1", .string("1")),
  ])
  func commandLineTextsBecomeValues(schema: String, text: String, expected: Value) throws {
    #expect(try Schema(document: try yaml(schema)).coerce(text) == expected)
  }

  @Test(arguments: [
    "{ type: integer }", "{ type: boolean }", "{ type: object }", "{ type: array, items: { type: integer } }",
  ])
  func textsOfTheWrongTypeAreRefused(schema: String) throws {
    let schema = Schema(document: try yaml(schema))
    #expect(throws: SchemaViolation(path: [], message: LocalizedText(verbatim: ""), code: .wrongType)) {
      try schema.coerce("x")
    }
  }

  @Test func typesFollowFromSchemas() throws {
    let schema = Schema(
      document: try yaml(
        """
        type: object
        additionalProperties: false
        properties:
          s: { type: string }
          i: { type: integer }
          n: { type: number }
          maybe: { type: [string, 'null'] }
          list: { type: array, items: { type: object, properties: { a: { type: boolean } } } }
          free: { type: object }
          texts: { type: object, additionalProperties: { type: string } }
          word: { enum: [a, b] }
          ref: { $ref: '#/$defs/x' }
          either: { anyOf: [{ type: string }, { type: string, format: date }] }
        $defs: { x: { type: integer } }
        """))
    guard case .object(let object) = schema.valueType(named: .init(verbatim: "it")) else {
      Issue.record("not an object")
      return
    }
    #expect(object.name.english == "it")
    #expect(!object.isOpen)
    #expect(object.fields["s"] == .string)
    #expect(object.fields["i"] == .int)
    #expect(object.fields["n"] == .dynamic)
    #expect(object.fields["maybe"] == .dynamic)
    #expect(object.fields["free"] == .map(.string, .dynamic))
    #expect(object.fields["texts"] == .map(.string, .string))
    #expect(object.fields["word"] == .string)
    #expect(object.fields["ref"] == .int)
    #expect(object.fields["either"] == .string)
    guard case .list(.object(let element))? = object.fields["list"] else {
      Issue.record("not a list of objects")
      return
    }
    #expect(element.fields == ["a": .bool])
    #expect(element.isOpen)
  }
}
