import Expressions

/// What a key of a file takes, as far as it can be said without the rest of the file.
public indirect enum ValueShape: Sendable, Hashable {
  /// What the names of a text are names of; an editor can offer them.
  public enum NameRole: String, Sendable, CaseIterable {
    /// `CONTRACT.ACTION`, `PLUGIN.ACTION` or a built-in action.
    case action
    /// A contract: `mail.store`.
    case contract
    /// A configured provider.
    case provider
    /// A step of the recipe.
    case step
    /// A prompt of the catalog.
    case prompt
    /// Another recipe: its file, or its file's name without the extension.
    case recipe
  }

  /// A text; `{{ … }}` in it may be allowed or not.
  case text
  /// A name of something.
  case name(NameRole)
  /// One of some words.
  case word([String])
  /// `true` or `false`.
  case boolean
  /// A whole number within bounds.
  case integer(ClosedRange<Int>)
  /// A number within bounds.
  case number(ClosedRange<Double>)
  /// `10s`, `1m30s`, or a number of seconds.
  case duration
  /// An expression, with or without `{{ }}`.
  case expression
  /// Every value.
  case anything
  /// Nothing, as after a key without a value.
  case null
  /// A list.
  case list(ValueShape)
  /// A map from names of one's own.
  case map(ValueShape)
  /// A map with keys of its own.
  case mapping(MappingDefinition.Name)
  /// One of several shapes.
  case any([ValueShape])
}

extension ValueShape {
  /// One name, or a list of names.
  package static func names(_ role: NameRole) -> ValueShape { .any([.name(role), .list(.name(role))]) }

  /// One text, or a list of texts.
  package static let texts = ValueShape.any([.text, .list(.text)])

  /// The words of a type.
  package static func words<Word: RawRepresentable & CaseIterable>(
    of type: Word.Type
  ) -> ValueShape where Word.RawValue == String {
    .word(Word.allCases.map(\.rawValue))
  }

  /// The maps with keys of their own that a value may be.
  public var mappings: [MappingDefinition.Name] {
    switch self {
    case .mapping(let name): [name]
    case .any(let shapes): shapes.flatMap(\.mappings)
    default: []
    }
  }
}
