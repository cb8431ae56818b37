public import Expressions

/// A setting of a provider: plain values, with references where secrets go.
public indirect enum SettingValue: Sendable {
  /// A value that stands in the file.
  case literal(Value, SourceRange)
  /// A secret, kept elsewhere.
  case secret(SecretReference)
  /// A list of which some element is not literal.
  case list([SettingValue], SourceRange)
  /// A map in source order.
  case map([(name: String, value: SettingValue)], SourceRange)

  /// Where the setting stands.
  public var range: SourceRange {
    switch self {
    case .literal(_, let range), .list(_, let range), .map(_, let range): range
    case .secret(let reference): reference.range
    }
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
