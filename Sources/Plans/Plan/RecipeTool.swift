/// How assistants call a recipe that is open to them: the key `tool`.
public struct RecipeTool: Sendable, Hashable {
  /// The words of `approve`.
  public enum Approval: String, Sendable, CaseIterable {
    /// A person approves each call.
    case always
    /// No call needs an approval, whatever the recipe does.
    case never
  }

  /// Its name for the assistant: 1 to 64 ASCII letters, digits, `_` and `-`; `nil` for one made from the name of the recipe.
  public var name: String?
  /// Its purpose, for the assistant; `nil` for the description of the recipe.
  public var summary: String?
  /// When a person approves a call; `nil`: if a step of the recipe changes or sends something.
  public var approval: Approval?

  /// Creates a tool.
  public init(name: String? = nil, summary: String? = nil, approval: Approval? = nil) {
    (self.name, self.summary, self.approval) = (name, summary, approval)
  }

  /// Whether a text can be the name of a tool.
  public static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}
