public import Expressions
internal import Synchronization

/// A note that is to be kept.
public struct NoteDraft: Sendable {
  /// A file with its content.
  public struct File: Sendable {
    /// The file; size and hash are found out.
    public var file: NoteFile
    /// Gives the next piece of the content, an empty one at its end; `nil` if the content is missing.
    public var content: (@Sendable () throws -> [UInt8])?

    /// Creates a file.
    public init(_ file: NoteFile, content: (@Sendable () throws -> [UInt8])?) {
      (self.file, self.content) = (file, content)
    }

    /// Creates a file whose content is at hand.
    public init(_ role: NoteFile.Role, name: String, type: String, bytes: [UInt8]) {
      let rest = Remaining(bytes)
      self.init(NoteFile(role, name: name, type: type)) { rest.next() }
    }
  }

  /// The note; its number and files are given by the store.
  public var note: Note
  /// Its files.
  public var files: [File] = []
  /// The idempotency key of the call that saves it: a repeated save with the same key gives the same note. `nil`: no key.
  public var call: String?

  /// Creates a draft.
  public init(_ note: Note, files: [File] = [], call: String? = nil) {
    (self.note, self.files, self.call) = (note, files, call)
  }
}

/// Bytes that are given out piece by piece.
private final class Remaining: Sendable {
  private let pieces: Mutex<ArraySlice<UInt8>>

  init(_ bytes: [UInt8]) { pieces = Mutex(bytes[...]) }

  func next() -> [UInt8] {
    pieces.withLock { rest in
      let piece = rest.prefix(NoteStore.pieceSize)
      rest = rest.dropFirst(piece.count)
      return Array(piece)
    }
  }
}

/// Which notes are wanted.
public struct NoteFilter: Sendable {
  /// Of this category.
  public var category: String?
  /// With all of these tags.
  public var tags: [String] = []
  /// Of this kind.
  public var kind: Note.Kind?
  /// Made at this time or later.
  public var since: Timestamp?
  /// Made before this time.
  public var before: Timestamp?
  /// With a reminder after this time.
  public var remindedAfter: Timestamp?

  /// Creates a filter for all notes.
  public init() {}
}

/// A note that a search has found.
public struct FoundNote: Sendable, Equatable {
  /// A piece of the passage that fits best.
  public struct Piece: Sendable, Equatable {
    /// The text.
    public var text: String
    /// Whether it is what was searched for.
    public var isHit: Bool

    /// Creates a piece.
    public init(_ text: String, isHit: Bool) { (self.text, self.isHit) = (text, isHit) }
  }

  /// The note.
  public var note: Note
  /// The passage that fits best.
  public var passage: [Piece]
}
