public import Expressions
import Plans
public import RecipeSyntax
public import Schemas

/// A setting of a provider: plain values, with references where secrets go.
public indirect enum SettingValue: Sendable {
  /// A value that stands in the file.
  case literal(Value, SourceRange)
  /// A secret, kept elsewhere.
  case secret(SecretReference)
  /// A list.
  case list([SettingValue], SourceRange)
  /// A map in source order.
  case map([Entry], SourceRange)

  /// A setting of a map.
  public struct Entry: Sendable {
    /// The setting's name.
    public var name: String
    /// Where the name stands.
    public var nameRange: SourceRange
    /// The setting.
    public var value: SettingValue

    init(_ entry: Node.Mapping.Entry, _ value: SettingValue) {
      name = entry.name
      nameRange = entry.nameRange
      self.value = value
    }
  }

  /// Where the setting stands.
  public var range: SourceRange {
    switch self {
    case .literal(_, let range), .list(_, let range), .map(_, let range): range
    case .secret(let reference): reference.range
    }
  }

  /// Where the value at a path stands; where it is missing, what should hold it.
  ///
  /// - Parameter violation: What is wrong with the settings. Its path begins at this one; of a key that should not be
  ///   there the key itself is meant.
  public func range(of violation: SchemaViolation) -> SourceRange {
    var current = self
    for (position, element) in violation.path.enumerated() {
      switch (current, element) {
      case (.map(let entries, _), .key(let name)):
        guard let entry = entries.first(where: { $0.name == name }) else { return current.range }
        if violation.code == .unknownKey, position == violation.path.count - 1 { return entry.nameRange }
        current = entry.value
      case (.list(let elements, _), .index(let index)) where elements.indices.contains(index):
        current = elements[index]
      default: return current.range
      }
    }
    return current.range
  }

  /// Takes user and password or token of another provider, where there are none.
  ///
  /// - Returns: Whether the other has any of them.
  mutating func takeCredentials(of other: SettingValue) -> Bool {
    guard case .map(var entries, let range) = self, case .map(let others, _) = other else { return false }
    let secrets = ["password", "token"]
    let offered = others.filter { $0.name == "user" || secrets.contains($0.name) }
    let hasSecret = entries.contains { secrets.contains($0.name) }
    entries += offered.filter { entry in
      secrets.contains(entry.name) ? !hasSecret : !entries.contains { $0.name == entry.name }
    }
    self = .map(entries, range)
    return !offered.isEmpty
  }

  /// The secrets below, in source order.
  public var secrets: [SecretReference] {
    switch self {
    case .literal: []
    case .secret(let reference): [reference]
    case .list(let elements, _): elements.flatMap(\.secrets)
    case .map(let entries, _): entries.flatMap(\.value.secrets)
    }
  }

  /// The value with every secret replaced.
  ///
  /// - Parameter resolve: Gives the value of a secret.
  /// - Throws: What `resolve` throws.
  public func value<Failure: Error>(
    resolving resolve: (SecretReference) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    switch self {
    case .literal(let value, _): return value
    case .secret(let reference): return try resolve(reference)
    case .list(let elements, _):
      var values: [Value] = []
      for element in elements { values.append(try element.value(resolving: resolve)) }
      return .list(values)
    case .map(let entries, _):
      var map = ValueMap()
      for entry in entries { map[entry.name] = try entry.value.value(resolving: resolve) }
      return .map(map)
    }
  }

  /// The value with every secret replaced by what names it, `{secret: NAME}`, for output.
  public var redacted: Value {
    value { $0.document }
  }
}
