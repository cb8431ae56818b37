public import Localization

/// A type of the expression language, as the checker sees it.
public indirect enum ValueType: Sendable, Hashable {
  /// Not known before evaluation.
  case dynamic
  /// The type of `null`.
  case null
  /// Truth values.
  case bool
  /// Signed integers.
  case int
  /// Unsigned integers.
  case uint
  /// Floating point numbers.
  case double
  /// Strings.
  case string
  /// Byte strings.
  case bytes
  /// Points in time.
  case timestamp
  /// Spans of time.
  case duration
  /// Lists of one element type.
  case list(ValueType)
  /// Maps of one key and one value type.
  case map(ValueType, ValueType)
  /// A map with known string keys, each with its own type.
  case object(ObjectType)
  /// A value that may be absent.
  case optional(ValueType)
  /// The type of a type.
  case type(ValueType)
  /// A type parameter of a generic function, `T`.
  case parameter(String)
  /// A type that only declarations name, with its parameters; no value of it exists here.
  case abstract(String, [ValueType])
}

/// A map type whose string keys are known: a step's output, an event, the inputs of a recipe.
public struct ObjectType: Sendable, Hashable {
  /// The name for people: `output of step 'unread'`.
  public var name: LocalizedText
  /// The known fields.
  public var fields: [String: ValueType]
  /// Whether fields beyond the known ones may exist; they are ``ValueType/dynamic`` then.
  public var isOpen: Bool
  /// The only texts that some fields can have: `succeeded`, `failed` and `skipped` for `status`.
  public var words: [String: [String]]

  /// Creates an object type.
  public init(
    name: LocalizedText, fields: [String: ValueType], isOpen: Bool = false, words: [String: [String]] = [:]
  ) {
    self.name = name
    self.fields = fields
    self.isOpen = isOpen
    self.words = words
  }

  /// Creates an object type whose name is a word of the language, the same to everybody: `steps`, `inputs`.
  public init(name: String, fields: [String: ValueType], isOpen: Bool = false) {
    self.init(name: LocalizedText(verbatim: name), fields: fields, isOpen: isOpen)
  }
}

extension ValueType {
  /// The name of the type as a value has it, without parameters: `int`, `list`, `google.protobuf.Timestamp`.
  public var name: String {
    switch self {
    case .dynamic: "dyn"
    case .null: "null_type"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "google.protobuf.Timestamp"
    case .duration: "google.protobuf.Duration"
    case .list: "list"
    case .map, .object: "map"
    case .optional: "optional_type"
    case .type: "type"
    case .parameter(let name): name
    case .abstract(let name, _): name
    }
  }

  /// The type named by ``name``; `nil` for a name that no value has as its type.
  init?(named name: String) {
    switch name {
    case "null_type": self = .null
    case "bool": self = .bool
    case "int": self = .int
    case "uint": self = .uint
    case "double": self = .double
    case "string": self = .string
    case "bytes": self = .bytes
    case "google.protobuf.Timestamp": self = .timestamp
    case "google.protobuf.Duration": self = .duration
    case "list": self = .list(.dynamic)
    case "map": self = .map(.dynamic, .dynamic)
    case "optional_type": self = .optional(.dynamic)
    case "type": self = .type(.dynamic)
    default: return nil
    }
  }
}

extension ValueType: CustomStringConvertible {
  /// The type as people read it, in English: `list(string)`, `map(string, int)`, `output of step 'unread'`.
  public var description: String { description(in: .english) }

  /// The type for messages: the names of types are words of the expression language, those of objects are translated.
  public var words: LocalizedText { LocalizedText(description(in: .english), de: description(in: .german)) }

  /// The type as people read it in a language.
  public func description(in language: Language) -> String {
    switch self {
    case .list(let element): "list(\(element.description(in: language)))"
    case .map(let key, let value): "map(\(key.description(in: language)), \(value.description(in: language)))"
    case .object(let object): object.name.string(in: language)
    case .optional(let wrapped): "optional(\(wrapped.description(in: language)))"
    case .type(.dynamic): "type"
    case .type(let type): "type(\(type.description(in: language)))"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .null: "null"
    case .abstract(let name, let parameters):
      parameters.isEmpty
        ? name : "\(name)(\(parameters.map { $0.description(in: language) }.joined(separator: ", ")))"
    default: name
    }
  }
}
