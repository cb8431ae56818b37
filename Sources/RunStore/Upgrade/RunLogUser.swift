internal import GRDB
internal import Glibc
internal import OperatingSystem

/// A process that works with a run log.
public struct RunLogUser: Sendable, Equatable {
  /// A unit of systemd that keeps a process running.
  public struct Unit: Sendable, Equatable {
    /// The name: `sous.service`.
    public var name: String
    /// Whether it belongs to the systemd of a user.
    public var isOfUser: Bool

    /// The command that restarts it.
    public var restart: String { "\(isOfUser ? "systemctl --user" : "sudo systemctl") restart \(name)" }
  }

  /// The process number.
  public var pid: Int
  /// The machine, if it is another one; processes of other machines cannot be looked at.
  public var host: String?
  /// Whether it is a daemon (`sous serve`).
  public var isServer: Bool
  /// The unit that restarts it; `nil` if none is known.
  public var unit: Unit?

  /// The command that ends the process; it finishes or suspends its steps first.
  public var stop: String { unit?.restart ?? "kill \(pid)" }

  /// The processes that a run log names as its own and that have not ended, except for this one.
  ///
  /// Reads run logs of every schema version.
  static func all(_ database: Database, path: String) throws -> [RunLogUser] {
    var servers: Set<Int> = []
    if try database.tableExists("servers") { servers = Set(try Int.fetchAll(database, sql: "SELECT pid FROM servers")) }
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM processes")
    var users: [RunLogUser] = []
    for row in rows {
      let process = try OwnerRecord(RowReader(row: row, path: path))
      let identity = process.identity
      guard !process.isLost, identity.isGone() == false, !users.contains(where: { $0.pid == identity.pid }),
        identity.pid != ProcessIdentity.current.pid
      else { continue }
      users.append(
        RunLogUser(
          pid: identity.pid, host: identity.isVisible() ? nil : identity.host,
          isServer: servers.contains(identity.pid), unit: Unit(ofProcess: identity.pid)))
    }
    return users
  }
}

extension RunLogUser.Unit {
  /// The unit of a process by its control group, see cgroups(7): `0::/system.slice/sous.service`.
  init?(ofProcess pid: Int) {
    guard let text = KernelFile.text(of: "\(ProcessIdentity.processes)/\(pid)/cgroup") else { return nil }
    self.init(controlGroups: text)
  }

  init?(controlGroups text: String) {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::") }),
      let name = line.split(separator: "/").last, name.hasSuffix(".service"), !name.hasPrefix("user@"),
      name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"'\"\\$`;&|<>()".utf8.contains($0) })
    else { return nil }
    self.init(name: String(name), isOfUser: line.contains("/user@"))
  }
}
