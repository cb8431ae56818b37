import Testing

@testable import RecipeSyntax
@testable import Schemas

@Suite struct ScalarPositionTests {
  /// The needle in the value must lead to the needle in the file.
  @Test(arguments: [
    "k: vor «needle» nach\n",
    "k:   vor\n  und «needle» nach\n",
    "k: vor\n\n\n  «needle»\n",
    "k: 'es''s «needle» da'\n",
    "k: 'erste\n  Zeile ''\n\n   «needle»'\n",
    "k: \"tab\\t umlaut \\u00e4 \\U0001F600 «needle»\"\n",
    "k: \"lang \\\n     weiter \\x41 «needle»\"\n",
    "k: \"falz\n  hier\n\n  \\\"«needle»\"\n",
    "k: \"\\\n\n  «needle»\"\n",
    "k: |\n  eins\n  zwei «needle»\n  drei\n",
    "k: |-\n\n\n    eins\n     mehr\n\n    «needle»\n",
    "k: |2\n    zwei «needle»\n",
    "k: |+\n  a\n\n  «needle»\n\n\n",
    "k: >\n  eins\n  zwei «needle»\n",
    "k: >-\n  eins\n\n  zwei\n    mehr\n    mehr\n  drei «needle»\n",
    "k: > # note\n\n  eins\n\n\n  «needle»",
    "- - k: |\n      x\n      «needle»\n",
    "k: äöü 日本 «needle»\n",
    "k: >\r\n  eins\r\n  zwei «needle»\r\n",
    "k: 'eins\r\n  zwei «needle»'\r\n",
    "{ k: vor «needle», j: 1 }\n",
    "{ k: \"«needle»\" }\n",
    "k: &a !!str «needle»\n",
    "k: &a\n  \"x «needle»\"\n",
  ])
  func placesInsideScalarsLeadBackToTheFile(text: String) throws {
    let marked = MarkedText(text)
    let document = try #require(YAMLDocument.parse(marked.source).document)
    let node = try #require(Self.scalar(in: document.root))
    let value = Array(try #require(node.scalar).text.utf8)
    let needle = Array("needle".utf8)
    let start = try #require((0...(value.count - 6)).first { Array(value[$0..<$0 + 6]) == needle })
    #expect(document.range(of: start..<start + 6, in: node) == marked.ranges[0])
    let end = document.range(of: value.count..<value.count, in: node)
    #expect(end.start.offset <= marked.source.bytes.count)
  }

  private static func scalar(in node: Node?) -> Node? {
    guard let node else { return nil }
    switch node.content {
    case .scalar(let scalar): return scalar.text.contains("needle") ? node : nil
    case .sequence(let elements): return elements.lazy.compactMap { Self.scalar(in: $0) }.first
    case .mapping(let mapping): return mapping.entries.lazy.compactMap { Self.scalar(in: $0.value) }.first
    case .invalid: return nil
    }
  }

  @Test func anEscapeIsOnePlace() throws {
    let marked = MarkedText("k: \"a«\\u00e4»b\"\n")
    let document = try #require(YAMLDocument.parse(marked.source).document)
    let node = try #require(document.root?.mapping?["k"])
    #expect(document.range(of: 1..<3, in: node) == marked.ranges[0])
  }

  @Test func damagedScalarsStillLeadBack() throws {
    // Every style with random breaks, blanks, escapes and indentation: the walk must arrive at the reader's own text.
    var state: UInt64 = 42
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let parts = [
      "a", "bc", " ", "  ", "\n", "\n\n", "\n  ", "\n   ", "\n    ", "\r\n  ", "''", "\\n", "\\u00e4", "\\\n  ", "ä",
      "日",
      "\\\"", "\t", "{{ x }}", "-", "\n  \n",
    ]
    var compared = 0
    for _ in 0..<3000 {
      let head = [
        "k: ", "k: '", "k: \"", "k: |\n  ", "k: >\n  ", "k: |-\n  ", "k: >+\n   ", "k: |2\n  ", "k: >2-\n  ",
      ][random(9)]
      let quote = head.hasSuffix("'") ? "'" : head.hasSuffix("\"") ? "\"" : ""
      let body = (0..<(1 + random(8))).map { _ in parts[random(parts.count)] }.joined()
      let source = SourceText(path: "t", text: head + body + quote + "\n")
      let (document, diagnostics) = YAMLDocument.parse(source)
      guard diagnostics.isEmpty, let node = document?.root?.mapping?["k"], let scalar = node.scalar else { continue }
      // A block of blanks alone has no line that shows its indentation, and no expression either.
      if scalar.text.allSatisfy(\.isWhitespace) { continue }
      let positions = ScalarPositions(scalar, at: node.range.start.offset, in: source.bytes)
      #expect(positions.isExact, "\(source.text.debugDescription)")
      compared += 1
    }
    #expect(compared > 500)
  }
}
