/// Names from outside in texts for people.
public enum DisplayedText {
  /// A name as it may be shown in a message: at most 80 characters, none of them a control character.
  public static func text(_ name: String) -> String {
    String(name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.prefix(80).map(Character.init))
  }
}
