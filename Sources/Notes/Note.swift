public import Expressions
public import Localization

/// A note: a text or a recording, with what was made of it.
public struct Note: Sendable, Equatable {
  /// The source of a note.
  public enum Kind: String, Sendable, CaseIterable {
    /// A text that a user wrote.
    case text
    /// A recording, and what was understood of it.
    case audio
  }

  /// The global identifier: a UUID in upper case.
  public var id: String
  /// The number for people, from 1; 0 before it is stored.
  public var number = 0
  /// Text or recording.
  public var kind: Kind
  /// Its title; `nil` if the first line of the text is in.
  public var title: String?
  /// The text as it was written or transcribed.
  public var text: String
  /// The text as a model or a person corrected it.
  public var corrected: String?
  /// One or two sentences that say what it is about.
  public var summary: String?
  /// Its category; `nil` for the default one.
  public var category: String?
  /// Words to find it by, none twice.
  public var tags: [String] = []
  /// The origin; `nil` if unknown.
  public var source: String?
  /// Whether a model is to work on it; `nil` if not given. Stored for `entries.json`.
  public var usesModel: Bool?
  /// When to be reminded of it.
  public var reminder: Timestamp?
  /// The run that reminds of it.
  public var reminderRun: String?
  /// The recording and what else goes with it.
  public var files: [NoteFile] = []
  /// When it was made.
  public var created: Timestamp
  /// When it was changed last.
  public var updated: Timestamp

  /// Creates a note.
  public init(id: String, kind: Kind = .text, text: String, created: Timestamp) {
    (self.id, self.kind, self.text, self.created, updated) = (id, kind, text, created, created)
  }

  /// The recording; `nil` if there is none.
  public var audio: NoteFile? { files.first { $0.role == .audio } }

  /// The files beside the recording.
  public var attachments: [NoteFile] { files.filter { $0.role == .attachment } }

  /// The text that people read: corrected if it was corrected.
  public var readableText: String { corrected ?? text }

  /// The title, else the first line of the text with something in it, cut off if it is long; empty if there is neither.
  public var heading: String {
    if let title, !Self.trimmed(title).isEmpty { return Self.trimmed(title) }
    let lines = readableText.split(whereSeparator: \.isNewline).lazy.map(Self.trimmed)
    guard let line = lines.first(where: { !$0.isEmpty }) else { return "" }
    return line.count > Self.headingLength ? String(line.prefix(Self.headingLength - 1)) + "…" : line
  }

  private static let headingLength = 80

  static func trimmed(_ text: some StringProtocol) -> String {
    var rest = Substring(text)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

/// A file that belongs to a note.
public struct NoteFile: Sendable, Equatable {
  /// The role in the note.
  public enum Role: String, Sendable {
    /// The recording that the note is made from; one at most.
    case audio
    /// Further data.
    case attachment
  }

  /// The role in the note.
  public var role: Role
  /// Its name, without folders.
  public var name: String
  /// Its media type.
  public var type: String
  /// Its size in bytes; `nil` if its content is missing.
  public var size: Int?
  /// The SHA-256 of its content, 64 lowercase hexadecimal digits; `nil` if its content is missing.
  public var hash: String?

  /// Creates a file.
  public init(_ role: Role, name: String, type: String, size: Int? = nil, hash: String? = nil) {
    (self.role, self.name, self.type, self.size, self.hash) = (role, name, type, size, hash)
  }
}

/// A category of notes.
public struct NoteCategory: Sendable, Equatable {
  /// Its name.
  public var name: String
  /// `#rrggbb`; `nil` for none.
  public var color: String?
  /// Whether notes without a category belong to it.
  public var isDefault: Bool
  /// How many notes belong to it.
  public var count = 0

  /// Creates a category.
  public init(_ name: String, color: String? = nil, isDefault: Bool = false) {
    (self.name, self.color, self.isDefault) = (name, color, isDefault)
  }

  /// The categories that a new store begins with.
  public static func first(in language: Language) -> [NoteCategory] {
    func name(_ english: String, de german: String) -> String { language == .german ? german : english }
    return [
      NoteCategory(name("General", de: "Allgemein"), color: "#8e8e93", isDefault: true),
      NoteCategory(name("Network", de: "Netzwerk"), color: "#0a84ff"),
      NoteCategory(name("Documentation", de: "Dokumentation"), color: "#30d158"),
    ]
  }
}
