internal import Glibc
internal import Hashing

/// One process on one machine, told apart from a later one that was given the same number.
///
/// Linux reuses process numbers; together with the boot and the moment the process began they are unique. See
/// proc_pid_stat(5), field 22, and `/proc/sys/kernel/random/boot_id`.
struct ProcessIdentity: Sendable, Hashable {
  /// The machine's name, or the container's.
  var host: String
  /// What tells machines of one name apart: made from `/etc/machine-id`, see machine-id(5); empty where there is none, as
  /// in many containers, and in rows of earlier versions.
  var machine: String
  /// The name of this start of the machine, which no other machine has.
  var boot: String
  /// What names the space in which ``pid`` is unique, see pid_namespaces(7); empty where it is not known.
  var namespace: String
  /// The process number.
  var pid: Int
  /// When the process began, in clock ticks since the machine started.
  var startTicks: Int64

  /// The space of process numbers of a whole machine rather than a container (`PROC_PID_INIT_INO`).
  static let outermostNamespace = "pid:[4026531836]"

  /// The running process.
  static let current = ProcessIdentity(
    host: hostName(), machine: machineMark(), boot: bootID(), namespace: namespace(), pid: Int(getpid()),
    startTicks: sight(of: Int(getpid())).startTicks ?? 0)

  /// Whether one can look whether the process is there: it is of the same start of the same machine, and its number
  /// means the same to the observer.
  func isVisible(from observer: ProcessIdentity = .current) -> Bool {
    host == observer.host && boot == observer.boot && (namespace.isEmpty || namespace == observer.namespace)
  }

  /// Whether the process has certainly ended; `nil` where that cannot be seen.
  ///
  /// A process of another machine, or of a container, cannot be looked at, nor one that hides itself.
  ///
  /// - Parameter folder: Where the kernel tells of processes.
  func isGone(seenFrom observer: ProcessIdentity = .current, in folder: String = ProcessIdentity.processes) -> Bool? {
    guard isVisible(from: observer) else { return isOfEarlierStart(seenFrom: observer) ? true : nil }
    switch ProcessIdentity.sight(of: pid, in: folder) {
    case .absent: return true
    case .hidden: return nil
    case .began(let ticks): return ticks != startTicks
    }
  }

  /// Whether the process is of another start of the same machine, and so ended with it.
  ///
  /// Containers share names, marks and images across machines: of them it is not known.
  private func isOfEarlierStart(seenFrom observer: ProcessIdentity) -> Bool {
    let isOfMachine = [namespace, observer.namespace].allSatisfy { $0.isEmpty || $0 == Self.outermostNamespace }
    return host == observer.host && boot != observer.boot && isOfMachine
      && (machine.isEmpty || machine == observer.machine)
  }

  /// What can be seen of a process number.
  enum Sight: Sendable, Equatable {
    /// There is no such process, or only its remains (a zombie).
    case absent
    /// There is one, of which nothing else can be known.
    case hidden
    /// There is one that began then, in clock ticks since the machine started.
    case began(Int64)

    /// When it began, where that is known.
    var startTicks: Int64? { if case .began(let ticks) = self { ticks } else { nil } }
  }

  /// Where the kernel tells of processes.
  static let processes = "/proc"

  /// Looks at a process.
  ///
  /// A process is no remains while one of its threads has not ended, even where the first one has: what that thread is
  /// about to write is still written. One that can be read by nobody, as everyone is who keeps secrets, is hidden where
  /// `/proc` is mounted with `hidepid`, see proc(5): it is then no less there than one that can be seen.
  static func sight(of pid: Int, in folder: String = processes) -> Sight {
    guard let number = pid_t(exactly: pid), number > 0 else { return .absent }
    guard let text = contents(of: "\(folder)/\(pid)/stat") else {
      return kill(number, 0) != 0 && errno == ESRCH ? .absent : .hidden
    }
    // The second field is the command in parentheses and may itself hold spaces and parentheses.
    guard let end = text.lastIndex(of: ")") else { return .hidden }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, let ticks = Int64(fields[19]) else { return .hidden }
    guard fields[0] != "X", fields[0] != "Z" || Int(fields[17]) ?? 1 > 1 else { return .absent }
    return .began(ticks)
  }

  private static func bootID() -> String {
    guard let text = contents(of: "/proc/sys/kernel/random/boot_id") else { return "" }
    return String(text.prefix { $0 != "\n" })
  }

  /// A hash: the number itself is not for others, says machine-id(5).
  private static func machineMark() -> String {
    let text = contents(of: "/etc/machine-id") ?? contents(of: "/var/lib/dbus/machine-id") ?? ""
    let number = text.prefix { $0 != "\n" }
    guard number.count == 32, number.allSatisfy(\.isHexDigit) else { return "" }
    return String(ContentHash.hexadecimal(of: Array("sous \(number)".utf8)).prefix(32))
  }

  private static func namespace() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = readlink("/proc/self/ns/pid", &buffer, buffer.count - 1)
    guard count > 0 else { return "" }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Up to 4096 bytes of a small file of the kernel's.
  static func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
