import Engine
import Glibc
import Localization
import OperatingSystem

/// The folders that recipes may work in, and access to the files in them.
///
/// A path is brought into its plain form first (no `.`, no `..`), belongs to one of the folders by its beginning, and is then
/// walked name by name from that folder with `O_NOFOLLOW`: no link below a folder is followed, even if it is created meanwhile.
/// The state folder of Sous is out of reach by its name `.sous` and by its identity; see ``ProtectedPlaces`` for what else is.
struct FolderAccess: Sendable {
  /// Where relative paths begin.
  let base: String
  /// The folders.
  let folders: [String]
  /// The state folder; `nil` for none.
  let state: String?
  /// The configuration, which says what recipes may do and which they cannot change; `nil` for none.
  let configuration: String?
  /// Whether the configuration names the folders; otherwise the only folder is that of the configuration.
  var areNamed = false
  /// Other files of Sous.
  var own: [(path: String, kind: ProtectedPlaces.Kind)] = []
  /// Why not all folders that the configuration names are in ``folders``; `nil` if they are.
  var refusal: LocalizedText?

  /// A name in a folder that is open.
  struct Place {
    let folder: Descriptor
    let name: String
    /// The path as people know it.
    let path: String
    /// The path without links.
    let realPath: String
    /// The folder that recipes may work in, without links.
    let root: String
  }

  private struct Route {
    let root: String
    let names: [String]
    let path: String

    /// The path without links, as no name below the root may be one.
    var realPath: String { ([root] + names).joined(separator: "/") }
  }

  /// Finds the place of a file.
  ///
  /// - Parameters:
  ///   - path: Absolute, or from ``base``.
  ///   - createsFolders: Whether folders on the way that are missing are made.
  /// - Throws: ``Engine/ActionFailure`` of kind `auth` if it is out of reach, `not_found` where a folder on the way is missing,
  ///   `invalid_input` for what is not a path, `io`.
  func place(of path: String, createsFolders: Bool = false) throws(ActionFailure) -> Place {
    let route = try route(to: path)
    guard let name = route.names.last else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText("'\(path)' is a folder that is shared as a whole", de: "'\(path)' ist ein freigegebener Ordner"))
    }
    try checkReach(of: route)
    // No folder is made on the way to a place that is refused.
    if createsFolders { try checkChange(route.realPath, root: route.root, path: route.path) }
    let folder = try walk(route, Array(route.names.dropLast()), createsFolders: createsFolders)
    return Place(folder: folder, name: name, path: route.path, realPath: route.realPath, root: route.root)
  }

  /// Opens a folder, and returns its path for people.
  ///
  /// - Throws: As ``place(of:createsFolders:)``.
  func openFolder(at path: String) throws(ActionFailure) -> (folder: Descriptor, path: String) {
    let route = try route(to: path)
    try checkReach(of: route)
    return (try walk(route, route.names, createsFolders: false), route.path)
  }

  /// Opens a folder in an open one.
  func folder(_ name: String, in parent: Descriptor, path: String) throws(ActionFailure) -> Descriptor {
    guard name != ".sous" else { throw .stateFolder(path) }
    return try self.folder(named: name, in: parent, path: path)
  }

  /// Opens a folder whose name may be any bytes in an open one.
  func folder(
    named name: UnsafePointer<CChar>, in parent: Descriptor, path: String
  ) throws(ActionFailure) -> Descriptor {
    let number = openat(parent.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { throw .file(path, error: errno, isLink: Self.isLink(name, in: parent)) }
    let folder = Descriptor(number)
    if isState(folder) { throw .stateFolder(path) }
    return folder
  }

  /// Sees to it that a place may be written to, moved and deleted.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `auth` for what is Sous's own, and for folders with something of it inside.
  func checkChange(of place: Place) throws(ActionFailure) {
    try checkChange(place.realPath, root: place.root, path: place.path)
    if holdsRecipe(place), !protected.isServed(place.root) { throw .protected(place.path, .executed) }
  }

  private func checkChange(_ realPath: String, root: String, path: String) throws(ActionFailure) {
    if let kind = protected.fixed(realPath, root: root, isNamed: areNamed) { throw .protected(path, kind) }
    let names = realPath.dropFirst(root.count).split(separator: "/").map(String.init)
    if ProtectedPlaces.isRunByOthers(names) { throw .protected(path, .executed) }
  }

  /// Whether a place is a recipe: a YAML file below 4 MiB with a line that only recipes have.
  private func holdsRecipe(_ place: Place) -> Bool {
    guard ProtectedPlaces.isDocument(place.name), let file = try? OpenFile(reading: place), file.size < 4 << 20,
      let bytes = try? file.read(limit: 4 << 20)
    else { return false }
    return bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }).contains { line in
      Self.recipeLines.contains { line.starts(with: $0) }
    }
  }

  /// How lines begin that only recipes have.
  private static let recipeLines: [[UInt8]] =
    (["steps:"] + ["general", "chain", "mail-filter", "reminder", "send"].map { "kind: " + $0 }).map { Array($0.utf8) }

  /// Sees to it that a file that is open may be read, or written.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `auth` for what is Sous's own under another name.
  func checkContent(of file: OpenFile, at place: Place, isRead: Bool = true) throws(ActionFailure) {
    if let kind = protected.owned(file.information, isRead: isRead) { throw .protected(place.path, kind) }
  }

  /// Sees to it that the file at a place may be read, or written, if there is one.
  ///
  /// - Throws: As ``checkContent(of:at:isRead:)``.
  func checkContent(at place: Place, isRead: Bool) throws(ActionFailure) {
    var information = stat()
    guard fstatat(place.folder.number, place.name, &information, AT_SYMLINK_NOFOLLOW) == 0,
      let kind = protected.owned(information, isRead: isRead)
    else { return }
    throw .protected(place.path, kind)
  }

  /// The protected files of Sous at their current paths.
  var protected: ProtectedPlaces {
    var places = own.map { (path: absolute($0.path), kind: $0.kind) }
    if let state { places.append((absolute(state), .state)) }
    if let configuration { places.append((absolute(configuration), .configuration)) }
    return ProtectedPlaces(places)
  }

  /// Checks a path without opening anything on the way.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `auth` if it is out of reach or belongs to Sous; other kinds for what is not a path.
  func check(_ path: String, isChanged: Bool) throws(ActionFailure) {
    let route = try route(to: path)
    try checkReach(of: route)
    if isChanged { try checkChange(route.realPath, root: route.root, path: route.path) }
  }

  // MARK: The way

  private func route(to text: String) throws(ActionFailure) -> Route {
    guard !text.isEmpty, !text.utf8.contains(0), text.utf8.count < 4096 else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText("this is not the path of a file", de: "das ist kein Pfad einer Datei"))
    }
    let wanted = Self.plain(absolute(text))
    // The longest folder counts, so that one inside another is its own.
    for folder in folders.map({ Self.plain(absolute($0)) }).sorted(by: { $0.count > $1.count }) {
      let root = SystemPath.resolved("/" + folder.joined(separator: "/"))
      for candidate in [folder, root.map(Self.plain)].compactMap(\.self) where wanted.starts(with: candidate) {
        guard let root else {
          throw ActionFailure.file("/" + folder.joined(separator: "/"), error: ENOENT)
        }
        return Route(
          root: root == "/" ? "" : root, names: Array(wanted.dropFirst(candidate.count)),
          path: "/" + wanted.joined(separator: "/"))
      }
    }
    if let refusal {
      throw ActionFailure(
        .auth, refusal + LocalizedText("; '\(text)' is not used", de: "; '\(text)' wird nicht verwendet"))
    }
    throw ActionFailure(
      .auth,
      LocalizedText(
        "'\(text)' is in none of the folders that recipes may work in",
        de: "'\(text)' liegt in keinem der Ordner, in denen Rezepte arbeiten dürfen"),
      advice: LocalizedText(
        "if it should be, add its folder in sous.yaml: files: { folders: [\".\", …] }",
        de: "falls doch, seinen Ordner in sous.yaml eintragen: files: { folders: [\".\", …] }"))
  }

  private func checkReach(of route: Route) throws(ActionFailure) {
    if let kind = protected.closed(route.realPath) { throw .protected(route.path, kind) }
  }

  private func walk(_ route: Route, _ names: [String], createsFolders: Bool) throws(ActionFailure) -> Descriptor {
    if let state, let real = SystemPath.resolved(state), (route.root + "/").hasPrefix(real + "/") {
      throw .stateFolder(route.path)
    }
    guard route.names.last != ".sous" else { throw .stateFolder(route.path) }
    let number = open(route.root.isEmpty ? "/" : route.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .file(route.path, error: errno) }
    var folder = Descriptor(number)
    for name in names {
      if createsFolders, name != ".sous" {
        if mkdirat(folder.number, name, 0o777) == 0 {
          fsync(folder.number)
        } else if errno != EEXIST {
          throw .file(route.path, error: errno)
        }
      }
      folder = try self.folder(name, in: folder, path: route.path)
    }
    return folder
  }

  /// Whether a name in an open folder is that of the state folder.
  func isState(_ name: String, in parent: Descriptor) -> Bool {
    var found = stat()
    return fstatat(parent.number, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && isState(found)
  }

  private func isState(_ folder: Descriptor) -> Bool {
    var found = stat()
    return fstat(folder.number, &found) == 0 && isState(found)
  }

  private func isState(_ found: stat) -> Bool {
    var mine = stat()
    guard let state, stat(state, &mine) == 0 else { return false }
    return mine.st_dev == found.st_dev && mine.st_ino == found.st_ino
  }

  /// Whether a name is that of a symbolic link.
  static func isLink(_ name: UnsafePointer<CChar>, in folder: Descriptor) -> Bool {
    let error = errno
    defer { errno = error }
    var information = stat()
    return fstatat(folder.number, name, &information, AT_SYMLINK_NOFOLLOW) == 0
      && information.st_mode & S_IFMT == S_IFLNK
  }

  private func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let start = base.hasPrefix("/") ? base : (SystemPath.resolved(".") ?? "") + "/" + base
    return start + "/" + path
  }

  /// The names of an absolute path, without empty ones, `.` and `..`.
  private static func plain(_ path: String) -> [String] {
    var names: [String] = []
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(String(name)) }
    }
    return names
  }
}

extension ActionFailure {
  /// The failure for a failed system call on a file.
  static func file(_ path: String, error: Int32, isLink: Bool = false) -> ActionFailure {
    if isLink || error == ELOOP {
      return ActionFailure(
        .auth,
        LocalizedText(
          "on the way to '\(path)' there is a symbolic link, which is not followed",
          de: "auf dem Weg zu '\(path)' liegt ein symbolischer Link, dem nicht gefolgt wird"),
        advice: LocalizedText(
          "add the folder that it leads to in sous.yaml under 'files: { folders: … }'",
          de: "den Ordner, zu dem er führt, in sous.yaml unter 'files: { folders: … }' eintragen"))
    }
    let kind: Kind =
      switch error {
      case ENOENT: .notFound
      case EACCES, EPERM, EROFS: .auth
      case ENOSPC, EDQUOT, EFBIG: .quota
      case ENOTDIR, EISDIR, ENAMETOOLONG, EINVAL, ENOTEMPTY, EEXIST: .failed
      default: .io
      }
    return ActionFailure(kind, LocalizedText(verbatim: "\(path): ") + .systemError(error))
  }

  /// The folder of the run log is not accessible.
  static func stateFolder(_ path: String) -> ActionFailure { .protected(path, .state) }

  /// Files of Sous are not accessible.
  static func protected(_ path: String, _ kind: ProtectedPlaces.Kind) -> ActionFailure {
    switch kind {
    case .state:
      ActionFailure(
        .auth,
        LocalizedText(
          "'\(path)' belongs to the state of Sous, which recipes cannot reach",
          de: "'\(path)' gehört zum Zustand von Sous, den Rezepte nicht erreichen"),
        advice: LocalizedText(
          "name another place; use 'state.set' for values that are kept from run to run",
          de: "einen anderen Ort angeben; was von Lauf zu Lauf bleiben soll, hält 'state.set'"))
    case .secret:
      ActionFailure(
        .auth,
        LocalizedText(
          "'\(path)' is or holds a source of secrets, which recipes cannot reach",
          de: "'\(path)' ist oder enthält eine Quelle von Geheimnissen, die Rezepte nicht erreichen"),
        advice: LocalizedText(
          "name a secret in sous.yaml, for a provider or under 'http: { credentials: … }'",
          de: "ein Geheimnis in sous.yaml nennen, bei einem Provider oder unter 'http: { credentials: … }'"))
    case .configuration:
      ActionFailure(
        .auth,
        LocalizedText(
          "'\(path)' is or holds the configuration, which recipes cannot change",
          de: "'\(path)' ist oder enthält die Konfiguration, die Rezepte nicht ändern können"),
        advice: LocalizedText("name another place", de: "einen anderen Ort angeben"))
    case .executed:
      ActionFailure(
        .auth,
        LocalizedText(
          "recipes cannot change '\(path)': it is or contains a file that is executed later (a recipe, a prompt, a test, a "
            + "hook, a start file)",
          de:
            "Rezepte können '\(path)' nicht ändern: Es ist oder enthält eine Datei, die später ausgeführt wird (Rezept, "
            + "Prompt, Test, Hook, Startdatei)"),
        advice: LocalizedText(
          "use another path, or name the folder in sous.yaml under 'files: { folders: … }'",
          de: "einen anderen Pfad verwenden oder den Ordner in sous.yaml unter 'files: { folders: … }' nennen"))
    case .code, .plugins:
      ActionFailure(
        .auth,
        LocalizedText(
          "'\(path)' is or holds code that Sous runs, such as a plugin, which recipes cannot change",
          de: "'\(path)' ist oder enthält Code, den Sous ausführt, etwa ein Plugin; Rezepte können ihn nicht ändern"),
        advice: LocalizedText(
          "name another place; plugins are installed by people",
          de: "einen anderen Ort angeben; Plugins legt ein Mensch ab"))
    }
  }
}
