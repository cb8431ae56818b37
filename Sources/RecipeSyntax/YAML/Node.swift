public import Expressions

/// One value of a YAML file together with its place.
public struct Node: Sendable {
  /// What a node is.
  public indirect enum Content: Sendable {
    /// A single value.
    case scalar(Scalar)
    /// A list.
    case sequence([Node])
    /// A map.
    case mapping(Mapping)
    /// Something that was reported as a problem already; nothing further is said about it.
    case invalid
  }

  /// How a scalar is written.
  public enum ScalarStyle: String, Sendable, CaseIterable {
    /// Without any quotes.
    case plain
    /// In `'…'`.
    case singleQuoted
    /// In `"…"`.
    case doubleQuoted
    /// After `|`.
    case literal
    /// After `>`.
    case folded
  }

  /// A single value.
  public struct Scalar: Sendable {
    /// The text after unquoting and folding.
    public var text: String
    /// How it is written.
    public var style: ScalarStyle
    /// What it means by the YAML 1.2 core schema.
    public var value: Value
  }

  /// A map in source order; names are unique.
  public struct Mapping: Sendable {
    /// A name with its value.
    public struct Entry: Sendable {
      /// The name.
      public var name: String
      /// Where the name stands.
      public var nameRange: SourceRange
      /// The value.
      public var value: Node
      /// Whether a merge key (`<<`) brought the entry.
      public var isMerged: Bool
    }

    /// The entries in source order; merged ones come where their merge key stands.
    public internal(set) var entries: [Entry] {
      didSet { index = Mapping.index(of: entries) }
    }
    private var index: [String: Int]

    package init(entries: [Entry]) {
      self.entries = entries
      index = Mapping.index(of: entries)
    }

    /// The entry of a name.
    public func entry(_ name: String) -> Entry? { index[name].map { entries[$0] } }

    /// The value of a name.
    public subscript(name: String) -> Node? { entry(name)?.value }

    private static func index(of entries: [Entry]) -> [String: Int] {
      Dictionary(entries.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }
  }

  /// What the node is.
  public var content: Content
  /// Where it stands; for a block collection, from its first entry to the end of its last.
  public var range: SourceRange
  /// How many nodes it consists of, itself included, aliases followed.
  package let weight: Int
  /// How many levels it has, itself included.
  package let height: Int
}

extension Node {
  /// The scalar, if it is one.
  public var scalar: Scalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  /// The elements, if it is a list.
  public var sequence: [Node]? {
    if case .sequence(let elements) = content { elements } else { nil }
  }

  /// The map, if it is one.
  public var mapping: Mapping? {
    if case .mapping(let mapping) = content { mapping } else { nil }
  }

  /// Whether the node was reported as a problem already.
  public var isInvalid: Bool {
    if case .invalid = content { true } else { false }
  }

  /// Whether it is the null value.
  public var isNull: Bool { scalar.map { $0.value == .null } ?? false }

  /// The text of a scalar that is a string.
  public var string: String? {
    guard case .scalar(let scalar) = content, case .string(let text) = scalar.value else { return nil }
    return text
  }

  /// The value of the whole tree; what was reported as a problem becomes null.
  public var value: Value {
    switch content {
    case .scalar(let scalar): return scalar.value
    case .sequence(let elements): return .list(elements.map(\.value))
    case .mapping(let mapping):
      var map = ValueMap()
      for entry in mapping.entries { map[entry.name] = entry.value.value }
      return .map(map)
    case .invalid: return .null
    }
  }
}

extension Node {
  /// A map of nodes that does not stand in the file as such.
  package static func map(_ entries: [(name: String, value: Node)], at range: SourceRange) -> Node {
    let entries = entries.map {
      Mapping.Entry(name: $0.name, nameRange: $0.value.range, value: $0.value, isMerged: false)
    }
    return Node(content: .mapping(Mapping(entries: entries)), range: range, weight: 1, height: 1)
  }

  /// The node itself where it is a list, otherwise a list of it alone.
  package var asList: Node {
    if sequence != nil || isInvalid { return self }
    return Node(content: .sequence([self]), range: range, weight: 1, height: 1)
  }
}
