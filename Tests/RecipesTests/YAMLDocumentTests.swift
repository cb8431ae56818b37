import Expressions
import RecipeSyntax
import Testing

@testable import RecipeModel
@testable import Schemas

/// Reads a text that must have no problems.
private func value(_ text: String) throws -> Value {
  let result = YAMLDocument.parse(SourceText(path: "t.yaml", text: text))
  #expect(result.diagnostics.map(Finding.init) == [])
  return try #require(result.document?.root).value
}

@Suite struct YAMLDocumentTests {
  @Test(arguments: [
    ("no", Value.string("no")), ("on", .string("on")), ("yes", .string("yes")), ("off", .string("off")),
    ("1:30", .string("1:30")), ("2027-01-01", .string("2027-01-01")), ("0777", .int(777)), ("1_000", .string("1_000")),
    ("0b1", .string("0b1")), ("0x1F", .int(31)), ("0o17", .int(15)), ("-0x1F", .string("-0x1F")), ("12", .int(12)),
    ("-12", .int(-12)), ("+12", .int(12)), ("1.5", .double(1.5)), (".5", .double(0.5)), ("5.", .double(5)),
    ("1e3", .double(1000)), ("-1.5E-2", .double(-0.015)), ("1e", .string("1e")), (".", .string(".")),
    ("-", .list([.null])), ("+", .string("+")), (".inf", .double(.infinity)), ("-.inf", .double(-.infinity)),
    ("+.Inf", .double(.infinity)), ("inf", .string("inf")), ("true", .bool(true)), ("True", .bool(true)),
    ("FALSE", .bool(false)), ("tRue", .string("tRue")), ("null", .null), ("~", .null), ("Null", .null),
    ("nil", .string("nil")), ("'1'", .string("1")), ("\"true\"", .string("true")), ("'~'", .string("~")),
    ("9223372036854775807", .int(.max)), ("9223372036854775808", .uint(9_223_372_036_854_775_808)),
    ("1.2.3", .string("1.2.3")), ("12abc", .string("12abc")), ("!!str 12", .string("12")), ("!!float 12", .double(12)),
  ])
  func plainScalarsFollowTheCoreSchema(text: String, expected: Value) throws {
    #expect(try value(text) == expected)
  }

  @Test func notANumberIsADouble() throws {
    guard case .double(let number) = try value(".nan") else {
      Issue.record("not a double")
      return
    }
    #expect(number.isNaN)
  }

  @Test func collectionsKeepOrder() throws {
    let root = try value("b: 1\na: [x, { c: 2 }]\n")
    guard case .map(let map) = root else {
      Issue.record("not a map")
      return
    }
    #expect(map.keys == [.string("b"), .string("a")])
    #expect(map["a"] == .list([.string("x"), .map(["c": .int(2)])]))
  }

  @Test func anchorsAndMergeKeysAreFollowed() throws {
    let text = """
      base: &base { retries: 3, name: base }
      other: &other { name: other, size: 1 }
      one: { <<: *base, name: one }
      two: { <<: [*other, *base] }
      three: *base
      """
    guard case .map(let map) = try value(text) else {
      Issue.record("not a map")
      return
    }
    #expect(map["one"] == .map(["retries": .int(3), "name": .string("one")]))
    #expect(map["two"] == .map(["retries": .int(3), "name": .string("other"), "size": .int(1)]))
    #expect(map["three"] == map["base"])
  }

  @Test func aQuotedMergeKeyIsAnOrdinaryKey() throws {
    #expect(try value("{ '<<': 1 }") == .map(["<<": .int(1)]))
  }

  @Test func everyKeyAndValueHasItsPlace() throws {
    let marked = MarkedText("top:\n  list:\n    - «äöü»\n    - {k: «12»}\n  text: «\"q\"»\n")
    let root = try #require(YAMLDocument.parse(marked.source).document?.root)
    let top = try #require(root.mapping?["top"]?.mapping)
    let list = try #require(top["list"]?.sequence)
    #expect(list[0].range == marked.ranges[0])
    #expect(list[1].mapping?["k"]?.range == marked.ranges[1])
    #expect(top["text"]?.range == marked.ranges[2])
    #expect(top.entry("text")?.nameRange.start.column == 3)
    #expect(top["text"]?.scalar?.style == .doubleQuoted)
  }

  @Test func placesCountFromBehindAByteOrderMark() throws {
    let source = SourceText(
      path: "t.yaml", bytes: [0xEF, 0xBB, 0xBF] + Array("ä: «x»".utf8.prefix(4)) + Array("x".utf8))
    let root = try #require(YAMLDocument.parse(source).document?.root)
    let entry = try #require(root.mapping?.entries.first)
    #expect(entry.nameRange.start == SourceRange.Position(line: 1, column: 1, offset: 3))
    #expect(entry.value.range.start == SourceRange.Position(line: 1, column: 4, offset: 7))
  }

  @Test func placesAreRightWithEveryLineBreak() throws {
    for lineBreak in ["\n", "\r\n", "\r"] {
      let text = ["a: 1", "b:", "  c: wert"].joined(separator: lineBreak)
      let root = try #require(YAMLDocument.parse(SourceText(path: "t", text: text)).document?.root)
      let node = try #require(root.mapping?["b"]?.mapping?["c"])
      #expect(node.range.start.line == 3)
      #expect(node.range.start.column == 6)
    }
  }

  @Test func anAnchoredValueBeginsBehindItsAnchor() throws {
    let marked = MarkedText("a: &x !!str «text»\nb: &y\n  «k: 1»\n")
    let root = try #require(YAMLDocument.parse(marked.source).document?.root)
    #expect(root.mapping?["a"]?.range == marked.ranges[0])
    #expect(root.mapping?["b"]?.range == marked.ranges[1])
  }

  @Test func anEmptyFileIsAProblemUnlessAllowed() {
    for text in ["", "\n\n", "# only a comment\n"] {
      let source = SourceText(path: "t", text: text)
      #expect(YAMLDocument.parse(source).diagnostics.map(\.code) == [.fileEmpty])
      #expect(YAMLDocument.parse(source, allowsEmpty: true).diagnostics.isEmpty)
    }
  }
}
