import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import RecordJSON
import UseCases

/// `sous top`: a live view of what is served.
struct TopCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "top",
      abstract: say(
        "Watch what runs, what waits, what is next and what has failed; q ends it.",
        de: "Zusehen, was läuft, was wartet, was ansteht und was fehlschlägt; q beendet es."),
      discussion: say(
        "In a pipe, and with --json, it prints once.", de: "In einer Pipe und mit --json schreibt es einmal."))
  }

  /// Milliseconds between two looks at keys and the run log.
  private static let tick: Int32 = 100
  /// Seconds after which the view is made anew, whether or not something has changed.
  private static let interval = 1.0
  /// Narrower than this nothing can be read.
  private static let leastWidth = 40

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    if format.json {
      return writeJSON(try await workspace.servingStatus().json(at: SystemTime().now, in: Speech.language))
    }
    guard Terminal().isInteractive, let screen = LiveScreen() else {
      let view = TopView(
        status: try await workspace.servingStatus(), now: SystemTime().now, terminal: Terminal(),
        width: max(Self.leastWidth, Terminal().width), height: nil)
      return write(view.lines.joined(separator: "\n") + "\n")
    }
    defer { screen.end() }
    try await Interruption.untilInterrupted { try await Self.watch(workspace, on: screen) }
  }

  private static func watch(_ workspace: Workspace, on screen: LiveScreen) async throws {
    var seen: (mark: String, size: [Int], at: Double)?
    let time = SystemTime()
    while !Task.isCancelled {
      let (width, height) = screen.size
      let mark = Self.mark(of: workspace)
      let isOld = seen.map { time.monotonic - $0.at >= interval } ?? true
      if isOld || seen?.mark != mark || seen?.size != [width, height] {
        let status = try await workspace.servingStatus()
        let view = TopView(
          status: status, now: time.now, terminal: Terminal(), width: max(leastWidth, width), height: height)
        screen.show(view.lines)
        seen = (mark, [width, height], time.monotonic)
      }
      guard let keys = screen.keys(within: tick) else { return }
      if keys.contains(where: { $0 == UInt8(ascii: "q") || $0 == UInt8(ascii: "Q") }) { return }
    }
  }

  /// Detects writes to the run log.
  private static func mark(of workspace: Workspace) -> String {
    [workspace.database, workspace.database + "-wal"].map { path in
      var facts = stat()
      guard stat(path, &facts) == 0 else { return "-" }
      return "\(facts.st_size) \(facts.st_mtim.tv_sec) \(facts.st_mtim.tv_nsec)"
    }.joined(separator: " ")
  }
}
