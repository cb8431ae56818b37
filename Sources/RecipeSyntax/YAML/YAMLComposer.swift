import Expressions
import Localization

/// Builds the tree of a YAML text from its events and collects what is wrong with it.
///
/// An unquoted `{{ … }}` makes a text unreadable from there on. It is reported, overwritten with a placeholder of the
/// same length, and the text read again, so that the rest of the file is still checked.
struct YAMLComposer {
  private static let mostRestarts = 50

  let source: SourceText
  let limits: YAMLLimits
  private(set) var root: Node?
  private(set) var aliasNodes = 0
  /// The problems of the current reading, and after it those of the restarts.
  private(set) var diagnostics: [Diagnostic] = []

  private var working: [UInt8]
  private let bodyStart: Int
  private var offsets: CharacterOffsets
  /// Problems that made a restart necessary, by the offset of their placeholder.
  private var placeholders: [Int: Diagnostic] = [:]
  private var anchors: [String: Node] = [:]
  private var openAnchors: Set<String> = []
  private var lastScalarStart: Int?
  private var flowDepth = 0

  /// Why composing stopped.
  private enum Interruption: Error {
    case restart
    case stop
  }

  init(source: SourceText, limits: YAMLLimits) {
    self.source = source
    self.limits = limits
    working = source.bytes
    bodyStart = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    offsets = CharacterOffsets(source.bytes[bodyStart...])
  }

  /// Reads the text.
  ///
  /// - Returns: Whether the end was reached.
  mutating func compose() -> Bool {
    for _ in 0...Self.mostRestarts {
      root = nil
      aliasNodes = 0
      diagnostics = []
      anchors = [:]
      openAnchors = []
      lastScalarStart = nil
      flowDepth = 0
      let bytes = working
      let outcome: Interruption? = bytes.withUnsafeBufferPointer { buffer in
        var stream = YAMLEventStream(UnsafeBufferPointer(rebasing: buffer[bodyStart...]))
        do throws(Interruption) {
          try document(&stream)
          return nil
        } catch {
          return error
        }
      }
      if case .restart = outcome { continue }
      diagnostics += placeholders.values
      return outcome == nil
    }
    diagnostics += placeholders.values
    return false
  }

  static func emptyFile(_ path: String) -> Diagnostic {
    let start = SourceRange.Position(line: 1, column: 1, offset: 0)
    return Diagnostic(
      .fileEmpty, LocalizedText("the file is empty", de: "die Datei ist leer"), path: path,
      range: SourceRange(start: start, end: start))
  }

  // MARK: Events

  private mutating func next(_ stream: inout YAMLEventStream) throws(Interruption) -> YAMLEvent {
    do throws(YAMLSyntaxProblem) {
      var event = try stream.next()
      event.start = offsets.byteOffset(of: event.start)
      event.end = offsets.byteOffset(of: event.end)
      return event
    } catch {
      let offset = error.byteOffset.map { $0 + bodyStart } ?? offsets.byteOffset(of: error.position)
      if flowDepth > 0, let begin = lastScalarStart, templateOpens(at: offset) {
        try replace(from: begin, template: offset, inFlow: true)
      }
      let explanation = YAMLSyntaxExplanation(error, byte: offset < working.count ? working[offset] : nil)
      var related: [Diagnostic.Related] = []
      let contextOffset = offsets.byteOffset(of: error.contextPosition)
      if let note = explanation.contextNote, contextOffset < offset {
        related.append(Diagnostic.Related(note, at: source.range(contextOffset..<contextOffset + 1)))
      }
      report(
        Diagnostic(
          explanation.code, explanation.message, path: source.path,
          range: source.range(offset..<min(offset + 1, max(source.bytes.count, offset))), related: related))
      throw .stop
    }
  }

  private mutating func document(_ stream: inout YAMLEventStream) throws(Interruption) {
    var documents = 0
    while true {
      let event = try next(&stream)
      switch event.kind {
      case .streamEnd: return
      case .streamStart, .documentEnd: continue
      case .documentStart:
        documents += 1
        if documents > 1 {
          report(
            .yamlMultipleDocuments,
            LocalizedText(
              "a second document begins here; a file holds one only",
              de: "hier beginnt ein zweites Dokument; eine Datei enthält nur eines"),
            event.start..<min(event.start + 3, source.bytes.count))
          throw .stop
        }
        root = try node(try next(&stream), &stream, depth: 1)
      default: continue
      }
    }
  }

  private mutating func node(
    _ event: YAMLEvent, _ stream: inout YAMLEventStream, depth: Int
  ) throws(Interruption) -> Node {
    switch event.kind {
    case .alias(let name): return try alias(name, event, depth: depth)
    case .scalar(let text, let style, let tag, let anchor):
      let start = contentStart(event, hasProperties: tag != nil || anchor != nil)
      lastScalarStart = start
      let node = scalar(text: text, style: style, tag: tag, range: start..<end(of: event, style: style, start: start))
      if let anchor { anchors[anchor] = node }
      return node
    case .sequenceStart(let tag, let anchor):
      return try collection(event, hasProperties: tag != nil || anchor != nil, anchor: anchor, depth: depth) {
        composer, start throws(Interruption) in
        composer.check(tag: tag, allowed: "tag:yaml.org,2002:seq", at: start)
        return try composer.sequence(from: start, event.start, &stream, depth: depth)
      }
    case .mappingStart(let isFlow, let tag, let anchor):
      if isFlow, templateOpens(at: event.start) {
        try replace(from: event.start, template: event.start, inFlow: flowDepth > 0)
      }
      return try collection(event, hasProperties: tag != nil || anchor != nil, anchor: anchor, depth: depth) {
        composer, start throws(Interruption) in
        composer.check(tag: tag, allowed: "tag:yaml.org,2002:map", at: start)
        composer.flowDepth += isFlow ? 1 : 0
        defer { composer.flowDepth -= isFlow ? 1 : 0 }
        return try composer.mapping(from: start, &stream, depth: depth)
      }
    default:
      return invalid(at: event.start)
    }
  }

  private mutating func collection(
    _ event: YAMLEvent, hasProperties: Bool, anchor: String?, depth: Int,
    read: (inout YAMLComposer, Int) throws(Interruption) -> Node
  ) throws(Interruption) -> Node {
    let start = contentStart(event, hasProperties: hasProperties)
    if depth > limits.depth {
      report(
        .yamlDepth,
        LocalizedText(
          "lists and maps nest more than \(limits.depth) levels deep",
          de: "Listen und Maps sind mehr als \(limits.depth) Ebenen tief verschachtelt"),
        start..<min(start + 1, source.bytes.count))
      throw .stop
    }
    if let anchor { openAnchors.insert(anchor) }
    let node = try read(&self, start)
    if let anchor {
      openAnchors.remove(anchor)
      anchors[anchor] = node
    }
    return node
  }

  private mutating func sequence(
    from start: Int, _ eventStart: Int, _ stream: inout YAMLEventStream, depth: Int
  ) throws(Interruption) -> Node {
    let isFlow = start < working.count && working[start] == UInt8(ascii: "[")
    flowDepth += isFlow ? 1 : 0
    defer { flowDepth -= isFlow ? 1 : 0 }
    var elements: [Node] = []
    var weight = 1
    var height = 1
    while true {
      let event = try next(&stream)
      if case .sequenceEnd = event.kind {
        let end = isFlow ? event.end : max(elements.last?.range.end.offset ?? start, start + 1)
        return Node(
          content: .sequence(elements), range: source.range(start..<max(start, end)), weight: weight, height: height)
      }
      let element = try node(event, &stream, depth: depth + 1)
      weight += element.weight
      height = max(height, element.height + 1)
      elements.append(element)
    }
  }

  private mutating func mapping(
    from start: Int, _ stream: inout YAMLEventStream, depth: Int
  ) throws(Interruption) -> Node {
    let isFlow = start < working.count && working[start] == UInt8(ascii: "{")
    var builder = MappingBuilder(path: source.path)
    var weight = 1
    var height = 1
    var end = start
    while true {
      let event = try next(&stream)
      if case .mappingEnd = event.kind {
        diagnosticsAppend(builder.diagnostics)
        return Node(
          content: .mapping(Node.Mapping(entries: builder.entries)),
          range: source.range(start..<max(start, isFlow ? event.end : end)), weight: weight, height: height)
      }
      let key = try node(event, &stream, depth: depth + 1)
      let value = try node(try next(&stream), &stream, depth: depth + 1)
      builder.add(key: key, value: value)
      weight += 1 + value.weight
      height = max(height, value.height + 1)
      end = max(value.range.end.offset, key.range.end.offset)
    }
  }

  // MARK: Scalars and aliases

  private mutating func alias(_ name: String, _ event: YAMLEvent, depth: Int) throws(Interruption) -> Node {
    let places = event.start..<event.end
    guard let target = anchors[name], !openAnchors.contains(name) else {
      let message =
        openAnchors.contains(name)
        ? LocalizedText(
          "the alias '*\(name)' stands inside the value that it repeats",
          de: "der Alias '*\(name)' steht in dem Wert, den er wiederholt")
        : LocalizedText(
          "unknown anchor '\(name)'" + Suggestion.text(for: name, among: anchors.keys).english,
          de: "unbekannter Anker '\(name)'" + Suggestion.text(for: name, among: anchors.keys).german)
      report(.unknownAnchor, message, places)
      return invalid(at: event.start)
    }
    aliasNodes += target.weight
    guard aliasNodes <= limits.aliasNodes else {
      report(
        .yamlAliasLimit,
        LocalizedText(
          "the aliases of this file stand for more than \(limits.aliasNodes) values",
          de: "die Aliasse dieser Datei stehen für mehr als \(limits.aliasNodes) Werte"),
        places)
      throw .stop
    }
    guard depth + target.height - 1 <= limits.depth else {
      report(
        .yamlDepth,
        LocalizedText(
          "with this alias lists and maps nest more than \(limits.depth) levels deep",
          de: "mit diesem Alias sind Listen und Maps mehr als \(limits.depth) Ebenen tief verschachtelt"),
        places)
      throw .stop
    }
    return target
  }

  private mutating func scalar(text: String, style: Node.ScalarStyle, tag: String?, range: Range<Int>) -> Node {
    if placeholders[range.lowerBound] != nil { return invalid(at: range.lowerBound) }
    let place = source.range(range)
    var value: Value = style == .plain ? CoreSchema.value(of: text) : .string(text)
    if let tag, !apply(tag: tag, text: text, to: &value) {
      report(
        .yamlTag,
        LocalizedText(
          "the tag '\(tag)' is not supported here or does not fit the value",
          de: "der Tag '\(tag)' wird hier nicht unterstützt oder passt nicht zum Wert"),
        range)
      return Node(content: .invalid, range: place, weight: 1, height: 1)
    }
    if style == .plain, case .double = value, tag == nil, CoreSchema.losesDigits(text) {
      report(
        .invalidValue,
        LocalizedText(
          "a number with so many digits is not kept exactly; write it in quotes, as a text",
          de:
            "eine Zahl mit so vielen Ziffern bleibt nicht genau erhalten; sie in Anführungszeichen schreiben, als Text"),
        range)
    }
    return Node(
      content: .scalar(Node.Scalar(text: text, style: style, value: value)), range: place, weight: 1, height: 1)
  }

  private func apply(tag: String, text: String, to value: inout Value) -> Bool {
    let resolved = CoreSchema.value(of: text)
    switch tag {
    case "!", "tag:yaml.org,2002:str":
      value = .string(text)
      return true
    case "tag:yaml.org,2002:int": if case .int = resolved { value = resolved } else { return false }
    case "tag:yaml.org,2002:bool": if case .bool = resolved { value = resolved } else { return false }
    case "tag:yaml.org,2002:null": if case .null = resolved { value = resolved } else { return false }
    case "tag:yaml.org,2002:float":
      switch resolved {
      case .int(let integer): value = .double(Double(integer))
      case .double: value = resolved
      default: return false
      }
    default: return false
    }
    return true
  }

  private mutating func check(tag: String?, allowed: String, at start: Int) {
    guard let tag, tag != allowed, tag != "!" else { return }
    report(
      .yamlTag,
      LocalizedText("the tag '\(tag)' is not supported here", de: "der Tag '\(tag)' wird hier nicht unterstützt"),
      start..<min(start + 1, source.bytes.count))
  }

  // MARK: Places

  /// Where the value itself begins, after its anchor and tag.
  private func contentStart(_ event: YAMLEvent, hasProperties: Bool) -> Int {
    guard hasProperties else { return event.start }
    var index = event.start
    while index < working.count {
      switch working[index] {
      case UInt8(ascii: "&"), UInt8(ascii: "!"):
        while index < working.count, !working[index].isWhitespace { index += 1 }
      case UInt8(ascii: "#"):
        while index < working.count, working[index] != 0x0A, working[index] != 0x0D { index += 1 }
      case let byte where byte.isWhitespace: index += 1
      default: return index
      }
    }
    return min(index, working.count)
  }

  private func end(of event: YAMLEvent, style: Node.ScalarStyle, start: Int) -> Int {
    var end = max(event.end, start)
    if style == .literal || style == .folded {
      while end > start, working[end - 1].isWhitespace { end -= 1 }
    }
    return end
  }

  private func invalid(at offset: Int) -> Node {
    Node(content: .invalid, range: source.range(offset..<offset), weight: 1, height: 1)
  }

  // MARK: Problems

  private func templateOpens(at offset: Int) -> Bool {
    offset + 1 < working.count && working[offset] == UInt8(ascii: "{") && working[offset + 1] == UInt8(ascii: "{")
  }

  /// Reports an unquoted `{{ … }}`, puts a placeholder where its value stands and has the text read again.
  private mutating func replace(from start: Int, template: Int, inFlow: Bool) throws(Interruption) -> Never {
    // In broken text the value can be said to begin behind its braces.
    let start = min(start, template)
    var lineEnd = template
    while lineEnd < working.count, working[lineEnd] != 0x0A, working[lineEnd] != 0x0D { lineEnd += 1 }
    let line = working[template..<lineEnd]
    let closing = line.indices.dropLast().first {
      line[$0] == UInt8(ascii: "}") && line[$0 + 1] == UInt8(ascii: "}")
    }
    let templateEnd = closing.map { $0 + 2 } ?? lineEnd
    var end = templateEnd
    if !inFlow {
      // The value goes on to the end of the line, or to a comment.
      while end < lineEnd {
        if working[end] == UInt8(ascii: "#"), working[end - 1].isWhitespace { break }
        end += 1
      }
    } else if template > start || closing != nil {
      while end < lineEnd, !Self.flowEnds.contains(working[end]) { end += 1 }
    }
    while end > templateEnd, working[end - 1].isWhitespace { end -= 1 }
    let value = String(decoding: working[start..<end], as: UTF8.self)
    let quoted =
      value.contains("\"")
      ? "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
      : "\"\(value)\""
    let diagnostic = Diagnostic(
      .unquotedTemplate,
      LocalizedText(
        "'{{' without quotes begins a YAML map; write the value in quotes: \(quoted)",
        de: "'{{' ohne Anführungszeichen beginnt eine YAML-Map; den Wert in Anführungszeichen setzen: \(quoted)"),
      path: source.path, range: source.range(start..<end), suggestion: quoted)
    guard closing != nil, placeholders[start] == nil else {
      report(diagnostic)
      throw .stop
    }
    placeholders[start] = diagnostic
    // Characters become as many spaces, so that every other character keeps its position.
    var replacement: [UInt8] = []
    for offset in start..<end where working[offset] & 0xC0 != 0x80 { replacement.append(0x20) }
    replacement[0] = UInt8(ascii: "~")
    let missing = (end - start) - replacement.count
    working.replaceSubrange(start..<end, with: replacement + Array(repeating: 0x20, count: missing))
    offsets = CharacterOffsets(working[bodyStart...])
    throw .restart
  }

  private static let flowEnds: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")]

  private mutating func diagnosticsAppend(_ added: [Diagnostic]) {
    for diagnostic in added { report(diagnostic) }
  }

  private mutating func report(_ code: Diagnostic.Code, _ message: LocalizedText, _ places: Range<Int>) {
    report(Diagnostic(code, message, path: source.path, range: source.range(places)))
  }

  private mutating func report(_ diagnostic: Diagnostic) {
    if diagnostics.count < limits.problems { diagnostics.append(diagnostic) }
  }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
