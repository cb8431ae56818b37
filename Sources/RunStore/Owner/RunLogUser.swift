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
    public var restart: String { command("restart") }
    /// The command that starts it.
    public var start: String { command("start") }

    private func command(_ verb: String) -> String {
      "\(isOfUser ? "systemctl --user" : "sudo systemctl") \(verb) \(name)"
    }
  }

  /// The process number.
  public var pid: Int
  /// The machine or the container, if it is another one: Sous can neither see nor end the process, which may have ended.
  public var host: String?
  /// Whether it is a daemon (`sous serve`).
  public var isServer: Bool
  /// The unit that restarts it; `nil` if none is known.
  public var unit: Unit?

  /// The command after which no process of the older version works; the process ends or suspends its steps first. `nil` for
  /// a process of another machine or container.
  public var remedy: String? { host == nil ? unit?.restart ?? "kill \(pid)" : nil }
  /// The command that starts a daemon again after it has ended.
  public var start: String { unit?.start ?? "sous serve" }

  /// So many processes are named at most that cannot be seen: rows of containers stay after their end.
  private static let mostUnseen = 5

  /// The processes that a run log names as its own and that have not ended, except for this one. Processes of other machines
  /// and containers follow, the newest first.
  ///
  /// Reads run logs of every schema version.
  static func all(_ database: Database, path: String) throws -> [RunLogUser] {
    let servers = try ServerRow.all(database, path: path)
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM processes ORDER BY id DESC")
    var (users, unseen): ([RunLogUser], [RunLogUser]) = ([], [])
    for row in rows {
      let columns = RowReader(row: row, path: path)
      let process = try OwnerRecord(columns)
      let identity = process.identity
      let hasEnded = process.isLost ? true : identity.isGone()
      guard hasEnded != true, identity != .current else { continue }
      let began = try columns.text("began_at")
      var user = RunLogUser(
        pid: identity.pid, isServer: servers.contains { $0.isRow(of: identity, since: began) })
      if identity.isVisible() {
        user.unit = RunLogUser.Unit(ofProcess: identity.pid)
        if !users.contains(where: { $0.pid == user.pid }) { users.append(user) }
      } else {
        user.host = identity.host
        if unseen.count < mostUnseen, !unseen.contains(where: { $0.pid == user.pid && $0.host == user.host }) {
          unseen.append(user)
        }
      }
    }
    return users + unseen
  }
}

/// A row of `servers`, as far as it names the process that wrote it.
private struct ServerRow {
  let host: String
  let pid: Int
  let lastBeat: String
  /// `nil` before schema version 16.
  var identity: ProcessIdentity?

  static func all(_ database: Database, path: String) throws -> [ServerRow] {
    guard try database.tableExists("servers") else { return [] }
    let hasIdentity = try database.columns(in: "servers").contains { $0.name == "start_ticks" }
    return try Row.fetchAll(database, sql: "SELECT * FROM servers").map { row in
      let columns = RowReader(row: row, path: path)
      var server = ServerRow(
        host: try columns.text("host"), pid: try columns.integer("pid"), lastBeat: try columns.text("beat_at"))
      guard hasIdentity else { return server }
      server.identity = ProcessIdentity(
        host: server.host, machine: try columns.text("machine"), boot: try columns.text("boot"),
        namespace: try columns.text("namespace"), pid: server.pid,
        startTicks: Int64(try columns.integer("start_ticks")))
      return server
    }
  }

  /// Whether a process wrote the row. Rows stay after a crash, and other machines and containers have the same process numbers.
  ///
  /// - Parameter began: When the process wrote to the run log first, RFC 3339 in UTC.
  func isRow(of process: ProcessIdentity, since began: String) -> Bool {
    guard pid == process.pid else { return false }
    guard let identity else { return host == process.host && lastBeat >= began }
    // The names of the host can differ in their spelling (with or without a domain); the boot has one name only.
    return identity.boot == process.boot && identity.machine == process.machine
      && identity.namespace == process.namespace && identity.startTicks == process.startTicks
      && (!identity.boot.isEmpty || host == process.host)
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
