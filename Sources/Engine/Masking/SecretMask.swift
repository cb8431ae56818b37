package import Expressions
package import Localization
import Synchronization

/// Takes secrets out of what comes from outside: what a plugin says, a server answers, a program writes.
///
/// Besides the secrets themselves it finds what they become in JSON, URLs, HTML, hexadecimal and Base64, there at any
/// place of a longer text that was encoded (`user:password`) and across line ends; see ``SecretForms`` and
/// ``SecretSearch``. Secrets of fewer than four characters would occur everywhere: they are taken out where they stand by
/// themselves, between what is neither a letter nor a digit. Any thread.
package final class SecretMask: Sendable {
  package static let shortest = 4
  private static let replacement = Array("***".utf8)

  private struct State {
    var secrets: Set<String> = []
    var search = SecretSearch([])

    /// Those that are looked for in all their forms.
    var long: [String] { secrets.filter { $0.count >= SecretMask.shortest } }
    /// Those that are looked for as words.
    var short: [String] { secrets.filter { $0.count < SecretMask.shortest } }
  }

  private let state = Mutex(State())

  /// Creates a mask for some secrets.
  package init(_ secrets: [String]) {
    insert(secrets)
  }

  /// Masks nothing, as long as nobody adds a secret.
  package static var none: SecretMask { SecretMask([]) }

  /// Takes further secrets out from now on, besides those it knows: a secret that was rotated has two values for a while.
  package func insert(_ secrets: [String]) {
    state.withLock { state in
      let known = state.secrets.count
      state.secrets.formUnion(secrets.filter { !$0.isEmpty })
      guard state.secrets.count > known else { return }
      state.search = SecretSearch(
        state.long.flatMap { SecretForms.forms(of: $0) }, words: state.short.map { Array($0.utf8) },
        numbers: Set(state.long.filter { Double($0) != nil }))
    }
  }

  /// What looks for the secrets known now.
  private var search: SecretSearch { state.withLock { $0.search } }

  /// A text without secrets.
  package func callAsFunction(_ text: String) -> String { SecretMask.masked(text, search) }

  /// A text without secrets in either language.
  package func callAsFunction(_ text: LocalizedText) -> LocalizedText {
    let search = search
    guard !search.isEmpty else { return text }
    return LocalizedText(SecretMask.masked(text.english, search), de: SecretMask.masked(text.german, search))
  }

  /// Bytes without secrets, whatever they mean.
  package func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    let search = search
    guard !search.isEmpty else { return bytes }
    return bytes.withUnsafeBufferPointer {
      SecretMask.replacingBytes(search.find(in: $0, isComplete: true).matches, in: $0)
    }
  }

  /// A value without secrets in its strings and keys.
  package func callAsFunction(_ value: Value) -> Value {
    let search = search
    return search.isEmpty ? value : SecretMask.masked(value, search)
  }

  /// A map without secrets in its strings and keys.
  package func callAsFunction(_ map: ValueMap) -> ValueMap {
    let search = search
    return search.isEmpty ? map : SecretMask.masked(map, search)
  }

  /// The beginning of a text of which more will come, without secrets, and its end as it is, which may be the beginning
  /// of one.
  package func split(_ text: String) -> (masked: String, held: String) {
    let search = search
    guard !search.isEmpty else { return (text, "") }
    var text = text
    return text.withUTF8 { bytes in
      let found = search.find(in: bytes, isComplete: false)
      let held = String(decoding: UnsafeBufferPointer(rebasing: bytes[found.held...]), as: UTF8.self)
      let ready = UnsafeBufferPointer(rebasing: bytes[..<found.held])
      return (SecretMask.replacing(found.matches, in: ready), held)
    }
  }

  // MARK: -

  private static func masked(_ text: String, _ search: SecretSearch) -> String {
    guard !search.isEmpty else { return text }
    var text = text
    let replaced: String? = text.withUTF8 { bytes in
      let matches = search.find(in: bytes, isComplete: true).matches
      return matches.isEmpty ? nil : replacing(matches, in: bytes)
    }
    return replaced ?? text
  }

  private static func masked(_ value: Value, _ search: SecretSearch) -> Value {
    switch value {
    case .string(let text): .string(masked(text, search))
    case .list(let elements): .list(elements.map { masked($0, search) })
    case .map(let map): .map(masked(map, search))
    case .int, .uint, .double: search.isSecret(number: value) ? .string("***") : value
    default: value
    }
  }

  private static func masked(_ map: ValueMap, _ search: SecretSearch) -> ValueMap {
    ValueMap(
      map.entries.map { entry in
        if case .string(let key) = entry.key {
          return (key: .string(masked(key, search)), value: masked(entry.value, search))
        }
        return (key: entry.key, value: masked(entry.value, search))
      })
  }

  private static func replacing(_ matches: [Range<Int>], in bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: replacingBytes(matches, in: bytes), as: UTF8.self)
  }

  private static func replacingBytes(_ matches: [Range<Int>], in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for match in matches where match.upperBound <= bytes.count {
      result += bytes[position..<match.lowerBound]
      result += replacement
      position = match.upperBound
    }
    result += bytes[position...]
    return result
  }
}
