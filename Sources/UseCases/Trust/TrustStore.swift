import Expressions
import Foundation
import Glibc
import Hashing
import Localization
import OperatingSystem

/// What the user has allowed the configuration of a folder to run, connect to and read.
public struct TrustGrant: Sendable, Equatable {
  /// The folder, absolute and without links.
  public var folder: String
  /// When it was granted, in seconds since 1970.
  public var granted: Int64
  /// The keys of what was allowed, see ``TrustItem/key``.
  public var items: Set<String>
  /// The identity (`device:inode`) of the folder if its own libraries may change, because their author builds them there; `nil`
  /// if they may not.
  public var builds: String?
}

/// The grants of a user: one file for each trusted folder, readable and writable by the user alone.
///
/// The files are stored in `$XDG_STATE_HOME/sous/trust`, or `~/.local/state/sous/trust`.
public struct TrustStore: Sendable {
  /// The folder with the grants; `nil` if the user has no home.
  public let folder: String?

  /// Finds the folder of the user. Touches no file.
  public init(environment: [String: String]) {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      folder = state + "/sous/trust"
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folder = home + "/.local/state/sous/trust"
    } else {
      folder = nil
    }
  }

  /// The grant for a folder; `nil` if none exists, or if another user could have written it.
  ///
  /// - Parameter folder: The folder, absolute and without links.
  public func grant(for folder: String) -> TrustGrant? {
    guard let grant = place(of: folder).flatMap(Self.read), grant.folder == folder else { return nil }
    return grant
  }

  /// Every grant, sorted by folder.
  public var all: [TrustGrant] {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
    return names.filter { $0.hasSuffix(".json") }.compactMap { Self.read(folder + "/" + $0) }
      .sorted { $0.folder < $1.folder }
  }

  /// Stores a grant; it replaces an earlier one for its folder.
  ///
  /// - Throws: ``UseCaseError`` with code `environment` if it cannot be written.
  public func keep(_ grant: TrustGrant) throws(UseCaseError) {
    guard let folder, let place = place(of: grant.folder) else {
      throw .environment(
        LocalizedText(
          "trust cannot be stored, because neither HOME nor XDG_STATE_HOME is set: set one of them",
          de: "das Vertrauen lässt sich nicht speichern, weil weder HOME noch XDG_STATE_HOME gesetzt ist: eine der "
            + "beiden Variablen setzen"))
    }
    var document: ValueMap = [
      "folder": .string(grant.folder), "granted": .int(grant.granted),
      "items": .list(grant.items.sorted().map(Value.string)),
    ]
    if let builds = grant.builds { document["builds"] = .string(builds) }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Self.unwritable(folder, errno)
    }
    do throws(SystemError) {
      try AtomicFile.write(Value.map(document).json(pretty: true), to: place, mode: 0o600)
    } catch {
      throw Self.unwritable(place, error.code)
    }
  }

  /// Deletes the grant for a folder.
  ///
  /// - Returns: Whether one existed.
  /// - Throws: ``UseCaseError`` with code `environment` if it cannot be deleted.
  public func revoke(_ folder: String) throws(UseCaseError) -> Bool {
    guard let place = place(of: folder) else { return false }
    if unlink(place) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else { throw Self.unwritable(place, errno) }
    return false
  }

  private func place(of folder: String) -> String? {
    self.folder.map { "\($0)/\(ContentHash.hexadecimal(of: Array(folder.utf8)).prefix(32)).json" }
  }

  /// Reads a grant that only the user or root can have written.
  private static func read(_ path: String) -> TrustGrant? {
    guard let file = try? Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      let facts = try? file.status, facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o022 == 0,
      facts.st_uid == geteuid() || facts.st_uid == 0, facts.st_size >= 0, facts.st_size < 16 << 20,
      let bytes = try? file.readAll(limit: 16 << 20),
      let document = try? Value(json: bytes),
      case .string(let folder)? = document["folder"], case .int(let granted)? = document["granted"]
    else { return nil }
    return TrustGrant(
      folder: folder, granted: granted,
      items: Set((document["items"]?.listValue ?? []).compactMap(\.stringValue)),
      builds: document["builds"]?.stringValue)
  }

  private static func unwritable(_ path: String, _ code: Int32) -> UseCaseError {
    .environment(
      LocalizedText("\(path) cannot be written: ", de: "\(path) lässt sich nicht schreiben: ") + .systemError(code))
  }
}
