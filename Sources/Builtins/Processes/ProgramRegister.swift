import CProcess
public import Engine
import Foundation
import Glibc
import OperatingSystem

/// The programs that steps have started, recorded in the state folder while they run.
///
/// A program that outlives its Sous process is found in two ways: by its note (number, start and session), even if it has
/// dropped its environment, and by `SOUS_KEY` in its environment, even if it has left its session. Only processes of a noted
/// session, and those of this user with the attempt's `SOUS_KEY`, get a signal.
public struct ProgramRegister: LeftPrograms {
  /// One program that runs, or that ran when its Sous process ended.
  struct Note {
    let process: pid_t
    let start: UInt64
    let boot: String
    /// The Sous process that has started the program.
    let owner: pid_t
    let ownerStart: UInt64
    /// How it is stopped.
    let stop: StopWay
    let run: String
    let key: String
  }

  /// Microseconds between two looks at programs that are to end.
  private static let pause: useconds_t = 20_000
  /// Seconds for which SIGKILL is repeated: programs may start others meanwhile.
  private static let killSeconds = 2.0
  private static let standardGrace = 5.0
  /// Seconds to wait until ended programs are reaped: until then a program that looks for an earlier instance of itself still
  /// finds it.
  private static let reapingSeconds = 10.0
  private static let ownStart = ProcessEntry(getpid())?.start ?? 0

  /// The folder of the notes; `nil` without a run log.
  let folder: String?

  init(stateFolder: String?) { folder = stateFolder.map { $0 + "/programs" } }

  // MARK: - Notes

  /// Records a program that has just been started. If the note cannot be written, `SOUS_KEY` still identifies the program.
  ///
  /// - Returns: The note's file, which the caller removes once the program and its group have ended; `nil` if none was written.
  func note(_ process: pid_t, run: String, key: String, stop: StopWay) -> String? {
    guard let folder, let entry = ProcessEntry(process) else { return nil }
    let path = "\(folder)/\(process)-\(entry.start)"
    let text = [
      "1", ProcessEntry.boot, "\(getpid())", "\(Self.ownStart)", "\(stop.grace)", run, key, "\(stop.signal)", "",
    ].joined(separator: "\n")
    mkdir(folder, 0o700)
    do {
      try Descriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW).write(Array(text.utf8))
      return path
    } catch {
      unlink(path)
      return nil
    }
  }

  private func notes() -> [Note] {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
    return names.compactMap { name in
      let numbers = name.split(separator: "-")
      guard numbers.count == 2, let process = pid_t(numbers[0]), process > 1, let start = UInt64(numbers[1]),
        let bytes = ProcessEntry.read("\(folder)/\(name)", limit: 8192)
      else { return nil }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      guard lines.count >= 7, lines[0] == "1", let owner = pid_t(lines[2]), let ownerStart = UInt64(lines[3]),
        let grace = Double(lines[4]), grace >= 0, grace <= 600
      else { return nil }
      var stop = StopWay(grace: grace)
      // Notes of earlier versions have no signal.
      if lines.count > 7, let signal = Int32(lines[7]), StopWay.signals.contains(where: { $0.number == signal }) {
        stop.signal = signal
      }
      return Note(
        process: process, start: start, boot: String(lines[1]), owner: owner, ownerStart: ownerStart, stop: stop,
        run: String(lines[5]), key: String(lines[6]))
    }
  }

  private func remove(_ note: Note) {
    if let folder { unlink("\(folder)/\(note.process)-\(note.start)") }
  }

  // MARK: - Running programs

  /// The programs of an attempt, those with a note first.
  ///
  /// - Parameters:
  ///   - notes: Those of the attempt.
  ///   - withZombies: Whether programs count that have ended and are not reaped yet.
  private func programs(_ key: String, _ notes: [Note], withZombies: Bool = false) -> [ProcessEntry] {
    let all = Dictionary(ProcessEntry.all().map { ($0.process, $0) }) { first, _ in first }
    let variable = Array("SOUS_KEY=\(key)".utf8)
    // A step's program may call Sous: that process must not end itself.
    let ownSession = getsid(0)
    let lineage = Self.lineage(of: getpid(), in: all)
    let others = all.values.filter { entry in
      entry.session != ownSession && !lineage.contains(entry.process)
        && !Self.lineage(of: entry.process, in: all).contains(getpid())
    }
    let named = Set(others.filter { $0.has(variable: variable) })
    var sessions: Set<pid_t> = []
    for note in notes where note.boot == ProcessEntry.boot {
      // Another start: the number was used again.
      if all[note.process]?.start == note.start { sessions.insert(note.process) }
    }
    // Each program starts in a session of its own, so every process of the session belongs to the attempt.
    for entry in named where all[entry.session].map(named.contains) ?? true { sessions.insert(entry.session) }
    let found = others.filter { (withZombies || !$0.isZombie) && (sessions.contains($0.session) || named.contains($0)) }
    return found.sorted { left, right in
      let (isLeft, isRight) = (sessions.contains(left.process), sessions.contains(right.process))
      return isLeft != isRight ? isLeft : (left.start, left.process) < (right.start, right.process)
    }
  }

  /// A process and those that it descends from.
  private static func lineage(of process: pid_t, in all: [pid_t: ProcessEntry]) -> Set<pid_t> {
    var found: Set<pid_t> = []
    var next = process
    while next > 1, found.insert(next).inserted { next = all[next]?.parent ?? 0 }
    return found
  }

  /// The processes of an attempt's programs that still run, the program itself first.
  public func running(key: String) async -> [Int32] {
    await BlockingPool.shared.run { programs(key, notes().filter { $0.key == key }).map(\.process) }
  }

  /// The programs whose Sous process has ended, with their runs. Removes the notes of programs that have ended too.
  public func left() async -> [(run: RunID, process: Int32)] {
    guard folder != nil else { return [] }
    return await BlockingPool.shared.run {
      var found: [(run: RunID, process: Int32)] = []
      for note in notes() {
        if let owner = ProcessEntry(note.owner), owner.start == note.ownerStart, !owner.isZombie,
          note.boot == ProcessEntry.boot
        {
          continue
        }
        if let first = programs(note.key, [note]).first {
          found.append((RunID(rawValue: note.run), first.process))
        } else {
          remove(note)
        }
      }
      return found
    }
  }

  // MARK: - Ending

  /// Ends the programs of an attempt and every process that they have started; returns those that still run.
  public func end(key: String) async -> [Int32] {
    // Blocks for up to the programs' own grace.
    await NamedThread.run("end-programs") {
      let notes = notes().filter { $0.key == key }
      let left = end(key, notes)
      if left.isEmpty { for note in notes { remove(note) } }
      return left.map(\.process)
    }
  }

  private func end(_ key: String, _ notes: [Note]) -> [ProcessEntry] {
    let grace = notes.map(\.stop.grace).max() ?? Self.standardGrace
    let signal = notes.first?.stop.signal ?? SIGTERM
    var asked: Set<ProcessEntry> = []
    let soft = ProgramWatch.now + grace
    var left = programs(key, notes)
    while !left.isEmpty, ProgramWatch.now < soft {
      // The list includes programs that were started meanwhile.
      for entry in left where asked.insert(entry).inserted { Self.send(signal, to: entry) }
      usleep(Self.pause)
      left = programs(key, notes)
    }
    let hard = ProgramWatch.now + Self.killSeconds
    while !left.isEmpty, ProgramWatch.now < hard {
      for entry in left { Self.send(SIGKILL, to: entry) }
      usleep(Self.pause)
      left = programs(key, notes)
    }
    let last = ProgramWatch.now + Self.reapingSeconds
    // A process that has ended and was not reaped has no environment any more, so that only its number and start find it.
    while left.isEmpty, ProgramWatch.now < last,
      asked.contains(where: \.exists) || !programs(key, notes, withZombies: true).isEmpty
    {
      usleep(Self.pause)
    }
    return left
  }

  private static func send(_ signal: Int32, to entry: ProcessEntry) {
    let number = process_open(entry.process)
    let handle = number >= 0 ? Descriptor(number) : nil
    // The number may be that of another process by now.
    guard ProcessEntry(entry.process)?.start == entry.start else { return }
    guard let handle else {
      kill(entry.process, signal)
      // A stopped process handles SIGTERM only after SIGCONT.
      kill(entry.process, SIGCONT)
      return
    }
    _ = process_signal(handle.number, signal)
    _ = process_signal(handle.number, SIGCONT)
  }
}
