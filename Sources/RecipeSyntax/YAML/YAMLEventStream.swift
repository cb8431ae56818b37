import CYAML

/// One event of libyaml, copied out of its memory.
struct YAMLEvent {
  enum Kind {
    case streamStart
    case streamEnd
    case documentStart
    case documentEnd
    case alias(String)
    case scalar(text: String, style: Node.ScalarStyle, tag: String?, anchor: String?)
    case sequenceStart(tag: String?, anchor: String?)
    case sequenceEnd
    case mappingStart(isFlow: Bool, tag: String?, anchor: String?)
    case mappingEnd
  }

  var kind: Kind
  /// Where it begins, in characters from the start of the parsed text.
  var start: Int
  /// Where it ends, in characters from the start of the parsed text.
  var end: Int
}

/// What libyaml says about a text that is not YAML.
struct YAMLSyntaxProblem: Error {
  /// libyaml's own words.
  var problem: String
  /// The place in characters.
  var position: Int
  /// libyaml's words for what it was reading.
  var context: String?
  /// Where that began, in characters.
  var contextPosition: Int
  /// The place in bytes, where the bytes themselves are wrong.
  var byteOffset: Int?
}

/// The events of a YAML text, one after the other.
struct YAMLEventStream: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let isReady: Bool

  /// Begins to read; `input` must outlive the stream.
  init(_ input: UnsafeBufferPointer<UInt8>) {
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    isReady = yaml_parser_initialize(parser) == 1
    if isReady {
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deallocate()
  }

  /// The next event.
  mutating func next() throws(YAMLSyntaxProblem) -> YAMLEvent {
    guard isReady else {
      throw YAMLSyntaxProblem(problem: "out of memory", position: 0, context: nil, contextPosition: 0, byteOffset: nil)
    }
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else {
      let isReaderProblem = parser.pointee.error == YAML_READER_ERROR
      throw YAMLSyntaxProblem(
        problem: parser.pointee.problem.map { String(cString: $0) } ?? "unknown problem",
        position: Int(clamping: parser.pointee.problem_mark.index),
        context: parser.pointee.context.map { String(cString: $0) },
        contextPosition: Int(clamping: parser.pointee.context_mark.index),
        byteOffset: isReaderProblem ? Int(clamping: parser.pointee.problem_offset) : nil)
    }
    defer { yaml_event_delete(&event) }
    return YAMLEvent(
      kind: Self.kind(of: event), start: Int(clamping: event.start_mark.index),
      end: Int(clamping: event.end_mark.index))
  }

  private static func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
    switch event.type {
    case YAML_STREAM_START_EVENT: return .streamStart
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_ALIAS_EVENT: return .alias(string(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: Int(clamping: scalar.length))
      return .scalar(
        text: String(decoding: bytes, as: UTF8.self), style: style(scalar.style), tag: string(scalar.tag),
        anchor: string(scalar.anchor))
    case YAML_SEQUENCE_START_EVENT:
      return .sequenceStart(
        tag: string(event.data.sequence_start.tag), anchor: string(event.data.sequence_start.anchor))
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let mapping = event.data.mapping_start
      return .mappingStart(
        isFlow: mapping.style == YAML_FLOW_MAPPING_STYLE, tag: string(mapping.tag), anchor: string(mapping.anchor))
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    default: return .streamEnd
    }
  }

  private static func style(_ style: yaml_scalar_style_t) -> Node.ScalarStyle {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }

  private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    text.map { String(decodingCString: $0, as: UTF8.self) }
  }
}
