import Localization

/// A token of a Sieve script (RFC 5228, 8.1) with its place.
struct SieveToken {
  /// The kind of a token.
  enum Kind: Equatable {
    /// The name of a command or a test, in lower case.
    case identifier(String)
    /// A tag such as `:contains`, without the colon, in lower case.
    case tag(String)
    /// A number with its quantifier multiplied out.
    case number(Int64)
    /// A quoted or multi-line string, unescaped.
    case string(String)
    /// One of `[ ] ( ) { } , ;`.
    case mark(UInt8)
    /// The end of the script.
    case end
  }

  var kind: Kind
  /// The UTF-8 offsets in the script.
  var range: Range<Int>
  /// The name that a comment right before it gives a rule (`# rule:[Lists]`), as mail programs write them.
  var title: String?
}

/// Something that makes a script unreadable.
struct SieveSyntaxError: Error {
  var message: LocalizedText
  var range: Range<Int>
}
