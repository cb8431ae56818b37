/// The letters of one folder's keywords in another folder.
struct KeywordTranslation: Sendable {
  private var letters: [Character: Character] = [:]
  private let target: Keywords

  /// Prepares for messages that go from one folder to another; keywords that the other does not have are added to it.
  /// - Throws: As ``MaildirFolder/letters(of:)``.
  init(_ files: [MessageFile], from source: MaildirFolder, to target: MaildirFolder) throws {
    let names = try source.keywords()
    let used = Set(files.flatMap(\.flags.keywordLetters)).sorted()
    let named = used.compactMap { letter in names[letter].map { (letter, $0) } }
    let new = named.isEmpty ? [] : try target.letters(of: named.map(\.1))
    for ((letter, _), other) in zip(named, new) { letters[letter] = other }
    self.target = try target.keywords()
  }

  /// The flags of a message in the other folder. A letter without a name stays where it means nothing there either.
  func flags(_ flags: MessageFlags) -> MessageFlags {
    let isKeyword = Set(flags.keywordLetters)
    return MessageFlags(
      letters: flags.letters.compactMap { letter in
        guard isKeyword.contains(letter) else { return letter }
        return letters[letter] ?? (target[letter] == nil ? letter : nil)
      })
  }
}
