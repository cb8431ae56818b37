extension LocalizedText {
  /// A number with what it counts: `1 step`, `2 steps`.
  ///
  /// - Parameters:
  ///   - number: How many there are.
  ///   - one: The English noun for exactly one.
  ///   - many: The English noun for none and for several.
  ///   - de: The German noun for exactly one.
  ///   - manyGerman: The German noun for none and for several.
  public static func count(
    _ number: Int, _ one: String, _ many: String, de oneGerman: String, _ manyGerman: String
  ) -> LocalizedText {
    LocalizedText("\(number) \(number == 1 ? one : many)", de: "\(number) \(number == 1 ? oneGerman : manyGerman)")
  }

  /// Figures that are the same in every language but for the decimal sign: `0.5 s`, in German `0,5 s`.
  public static func figures(_ text: String) -> LocalizedText {
    LocalizedText(text, de: text.split(separator: ".", omittingEmptySubsequences: false).joined(separator: ","))
  }
}
