public import Localization

extension LocalizedText {
  /// The text of a member of a map. Its German form is the member of the same name with `_de`; without it the text is the same in
  /// both languages.
  ///
  /// - Returns: `nil` if the member is missing or not a text.
  public init?(of map: Value?, _ name: String) {
    guard let english = map?[name]?.stringValue else { return nil }
    self.init(english, de: map?["\(name)_de"]?.stringValue ?? english)
  }
}

extension ValueMap {
  /// Sets a member to the English text, and the member of the same name with `_de` to the German one if the two differ.
  public mutating func set(_ name: String, to text: LocalizedText) {
    self[name] = .string(text.english)
    if text.german != text.english { self["\(name)_de"] = .string(text.german) }
  }
}
