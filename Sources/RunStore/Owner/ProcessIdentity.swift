internal import Glibc
internal import Hashing
internal import OperatingSystem

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
    host: KernelFile.hostName, machine: machineMark(), boot: bootID(),
    namespace: KernelFile.link("/proc/self/ns/pid") ?? "",
    pid: Int(getpid()),
    startTicks: ProcessSight(of: Int(getpid())).startTicks ?? 0)

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
    switch ProcessSight(of: pid, in: folder) {
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

  /// Where the kernel lists processes.
  static let processes = ProcessSight.folder

  private static func bootID() -> String {
    guard let text = KernelFile.text(of: "/proc/sys/kernel/random/boot_id") else { return "" }
    return String(text.prefix { $0 != "\n" })
  }

  /// A hash: the number itself is not for others, says machine-id(5).
  private static func machineMark() -> String {
    let text = KernelFile.text(of: "/etc/machine-id") ?? KernelFile.text(of: "/var/lib/dbus/machine-id") ?? ""
    let number = text.prefix { $0 != "\n" }
    guard number.count == 32, number.allSatisfy(\.isHexDigit) else { return "" }
    return String(ContentHash.hexadecimal(of: Array("sous \(number)".utf8)).prefix(32))
  }
}
