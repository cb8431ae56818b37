/// A sentence for people, in every language Sous speaks.
///
/// The translations stand side by side where the text is made, so none can be forgotten and both see the same values.
/// Two texts are never compared to decide anything: errors carry a `code` for that.
public struct LocalizedText: Sendable, Hashable {
  /// The English text.
  public var english: String
  /// The German text.
  public var german: String

  /// Creates a text from its translations.
  ///
  /// - Parameters:
  ///   - english: The English text.
  ///   - de: The German text.
  public init(_ english: String, de german: String) {
    self.english = english
    self.german = german
  }

  /// Creates a text that reads the same in every language: a name, a number, a server's own words.
  public init(verbatim text: String) {
    english = text
    german = text
  }

  /// Returns the text in one language.
  public func string(in language: Language) -> String {
    switch language {
    case .english: english
    case .german: german
    }
  }

  /// Joins two texts language by language.
  public static func + (left: LocalizedText, right: LocalizedText) -> LocalizedText {
    LocalizedText(left.english + right.english, de: left.german + right.german)
  }
}

extension LocalizedText: CustomStringConvertible {
  /// The English text.
  public var description: String { english }
}
