/// A folder as a store lists it.
public struct FolderListing: Sendable, Hashable {
  /// The name as users see it.
  public var name: String
  /// The levels of the name, the outermost first.
  public var levels: [String]
  /// The attributes of `LIST`: `\Sent`, `\Noselect`; empty if the store has none.
  public var attributes: [String]

  /// Describes a folder.
  ///
  /// - Parameters:
  ///   - name: The name, decoded.
  ///   - delimiter: The separator of its levels; `nil` for a flat namespace.
  ///   - attributes: Its attributes.
  public init(name: String, delimiter: Character? = "/", attributes: [String] = []) {
    self.name = name
    self.attributes = attributes
    levels = delimiter.map { name.split(separator: $0).map(String.init) } ?? [name]
  }

  /// Whether it can hold messages.
  public var isSelectable: Bool {
    !attributes.contains { ["\\noselect", "\\nonexistent"].contains($0.lowercased()) }
  }
}

/// Which folder a user wants for which purpose: what is under `folders:` of a mail provider.
public struct SpecialFolderSettings: Decodable, Sendable, Hashable {
  /// Copies of what was sent.
  public var sent: String?
  /// Messages that are being written.
  public var drafts: String?
  /// Deleted messages.
  public var trash: String?
  /// Unwanted messages.
  public var spam: String?
  /// Archived messages.
  public var archive: String?

  /// Creates settings that choose nothing.
  public init() {}

  /// The folder chosen for a use.
  public subscript(use: SpecialUse) -> String? {
    switch use {
    case .sent: sent
    case .drafts: drafts
    case .trash: trash
    case .junk: spam
    case .archive: archive
    case .all, .flagged: nil
    }
  }
}

/// Which folder is for what.
///
/// For each use there is one folder: the one the settings name, else the first with the attribute (RFC 6154), else the
/// first whose name says so, folders with fewer levels before others. A folder of another name that would also do is an
/// ordinary folder, so that deleting from it moves to the trash rather than removes.
public struct SpecialFolders: Sendable {
  private var names: [SpecialUse: String] = [:]
  private var uses: [String: SpecialUse] = [:]

  /// Looks through the folders of a store.
  public init(_ folders: [FolderListing], settings: SpecialFolderSettings = SpecialFolderSettings()) {
    let selectable = folders.filter { $0.isSelectable && $0.name.lowercased() != "inbox" }
    for use in SpecialUse.allCases {
      let name =
        settings[use]
        ?? selectable.first { $0.attributes.contains { SpecialUse(attribute: $0) == use } }?.name
        ?? Self.byName(use, selectable)
      guard let name, uses[name] == nil else { continue }
      names[use] = name
      uses[name] = use
    }
  }

  private static func byName(_ use: SpecialUse, _ folders: [FolderListing]) -> String? {
    let candidates = folders.filter { folder in
      // An attribute says what the folder is for; its name then says nothing more.
      SpecialUse(levels: folder.levels) == use && !folder.attributes.contains { SpecialUse(attribute: $0) != nil }
    }
    return candidates.min { $0.levels.count < $1.levels.count }?.name
  }

  /// The folder for a use. For the archive, the folder with all messages if there is no other.
  public subscript(use: SpecialUse) -> String? { names[use] ?? (use == .archive ? names[.all] : nil) }

  /// The special use of a folder; `nil` for an ordinary one.
  public func use(of name: String) -> SpecialUse? { uses[name] }
}
