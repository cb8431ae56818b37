import Engine
import Expressions

/// Takes secrets out of the pieces of an answer, also those that are split between two of them.
///
/// The strings at the top of the pieces are taken as streams, each under its key. A text that may be the beginning of
/// a secret is held back until the next piece shows whether it is one, or the call ends.
struct DeltaMask {
  private var held: [(key: String, text: String)] = []
  private var mask: SecretMask?

  /// A piece without secrets; with an end that may be the beginning of one held back.
  mutating func callAsFunction(_ delta: ValueMap, _ mask: SecretMask) -> ValueMap {
    self.mask = mask
    var result = ValueMap()
    for (key, value) in delta.entries {
      guard case .string(let name) = key else {
        result[key] = mask(value)
        continue
      }
      guard case .string(let text) = value else {
        result[.string(mask(name))] = mask(value)
        continue
      }
      let before = held.first { $0.key == name }?.text ?? ""
      held.removeAll { $0.key == name }
      let (masked, rest) = mask.split(before + text)
      if !rest.isEmpty { held.append((name, rest)) }
      result[.string(mask(name))] = .string(masked)
    }
    return result
  }

  /// The text that is still held back at the end of the call; `nil` if none is.
  mutating func finish() -> ValueMap? {
    guard !held.isEmpty, let mask else { return nil }
    var result = ValueMap()
    for (key, text) in held { result[mask(key)] = .string(mask(text)) }
    held = []
    return result
  }
}
