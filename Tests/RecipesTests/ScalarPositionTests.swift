import Recipes
import Testing

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
}
