import Foundation
import Neutralisation
import Synchronization

/// The dictionaries of Hunspell for German and English that are installed, read when the first word is looked up.
///
/// Debian's packages `hunspell-de-de`, `hunspell-de-ch`, `hunspell-en-us` and `hunspell-en-gb` have them.
final class SystemDictionaries: Vocabulary {
  static let shared = SystemDictionaries(folder: "/usr/share/hunspell")

  /// Longer words than this count as in no dictionary: Hunspell takes long to take compounds apart.
  private static let longest = 48
  private static let files: [VocabularyLanguage: [String]] = [
    .german: ["de_DE", "de_CH"], .english: ["en_US", "en_GB"],
  ]

  private let folder: String
  // Hunspell's handles are for one thread at a time.
  private let dictionaries = Mutex<[VocabularyLanguage: [SpellingDictionary]]>([:])

  init(folder: String) { self.folder = folder }

  /// Whether Hunspell and a dictionary of each language are installed; dictionaries in another encoding than UTF-8 do not count.
  var isComplete: Bool {
    Hunspell.shared != nil
      && VocabularyLanguage.allCases.allSatisfy { language in
        Self.files[language, default: []].contains { SpellingDictionary.isUsable("\(folder)/\($0)") }
      }
  }

  /// Without a dictionary of the language every word counts as known.
  func contains(_ word: String, in language: VocabularyLanguage) -> Bool {
    guard word.utf8.count <= Self.longest else { return false }
    return dictionaries.withLock { dictionaries in
      if dictionaries[language] == nil {
        dictionaries[language] = Self.files[language, default: []].compactMap { SpellingDictionary("\(folder)/\($0)") }
      }
      guard let opened = dictionaries[language], !opened.isEmpty else { return true }
      return opened.contains { $0.contains(word) }
    }
  }
}

/// The C interface of Hunspell 1.7, loaded when it is needed: linked to the program it would make each start longer.
private struct Hunspell: Sendable {
  typealias Create = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> OpaquePointer?
  typealias Destroy = @convention(c) (OpaquePointer) -> Void
  typealias Spell = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> CInt

  let create: Create
  let destroy: Destroy
  let spell: Spell

  /// `nil` if it is not installed.
  static let shared: Hunspell? = {
    guard let library = dlopen("libhunspell-1.7.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
    guard let create = dlsym(library, "Hunspell_create"), let destroy = dlsym(library, "Hunspell_destroy"),
      let spell = dlsym(library, "Hunspell_spell")
    else { return nil }
    // `dlsym` gives addresses without a type; these are the types of hunspell.h.
    return Hunspell(
      create: unsafeBitCast(create, to: Create.self), destroy: unsafeBitCast(destroy, to: Destroy.self),
      spell: unsafeBitCast(spell, to: Spell.self))
  }()
}

/// One dictionary that is open.
private final class SpellingDictionary {
  private let hunspell: Hunspell
  private let handle: OpaquePointer

  /// - Parameter path: Without `.dic` and `.aff`.
  init?(_ path: String) {
    // Hunspell gives an empty dictionary for a file that is not there.
    guard let hunspell = Hunspell.shared, Self.isUsable(path),
      let handle = hunspell.create("\(path).aff", "\(path).dic")
    else { return nil }
    self.hunspell = hunspell
    self.handle = handle
  }

  deinit { hunspell.destroy(handle) }

  /// Whether both files can be read and are in UTF-8.
  static func isUsable(_ path: String) -> Bool {
    guard access("\(path).dic", R_OK) == 0, let rules = try? String(contentsOfFile: "\(path).aff", encoding: .utf8)
    else { return false }
    return rules.split(whereSeparator: \.isNewline).contains { $0.split(separator: " ") == ["SET", "UTF-8"] }
  }

  func contains(_ word: String) -> Bool { hunspell.spell(handle, word) != 0 }
}
