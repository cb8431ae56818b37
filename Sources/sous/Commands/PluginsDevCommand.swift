import ArgumentParser
import Foundation
import Localization
import PluginConformance
import PluginHost
import PluginStore
import UseCases

/// `sous plugins dev`: builds and checks a plugin after each change of its sources.
struct PluginsDevCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "dev",
      abstract: say(
        "Build and check a plugin after each change.", de: "Ein Plugin nach jeder Änderung bauen und prüfen."),
      discussion: say(
        "Ctrl-C ends it. Each round loads the new library in new worker processes.",
        de: "Strg-C beendet es. Jede Runde lädt die neue Bibliothek in neuen Arbeitsprozessen."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The source folder of the plugin (default: the current one).",
        de: "Der Quellordner des Plugins (Vorgabe: der aktuelle)."),
      valueName: "folder"))
  var folder = "."

  @Flag(help: ArgumentHelp(say("One round, and its status.", de: "Eine Runde, und ihr Status.")))
  var once = false

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let folder = (folder as NSString).standardizingPath
    // A build also runs for a folder that has only a library.
    _ = try mapped { try PluginSource(folder.contains("/") ? folder : "./" + folder) }
    let (once, global) = (once, global)
    let hasPassed: Bool
    do {
      hasPassed = try await Interruption.untilInterrupted { try await Self.rounds(folder, once: once, global) }
    } catch  where Interruption.hasCancelled {
      return
    }
    guard hasPassed || Interruption.hasCancelled else { throw CommandError(ExitStatus.runFailed) }
  }

  /// Builds and checks after each change until the task is cancelled, or once.
  ///
  /// - Returns: Whether the last round has passed.
  private static func rounds(_ folder: String, once: Bool, _ global: GlobalOptions) async throws -> Bool {
    var number = 0
    while true {
      // Watched from before the build: a change during it leads to another round.
      let watcher = once ? nil : try FolderWatcher(watched(folder))
      number += 1
      let hasPassed = await round(number, folder, global)
      guard let watcher, !Task.isCancelled else { return hasPassed }
      write(say("  waiting for changes, Ctrl-C ends\n", de: "  wartet auf Änderungen, Strg-C beendet\n"))
      try await waitForChange(watcher)
    }
  }

  /// The folders with sources: all but hidden ones and those that builds write to.
  private static func watched(_ folder: String) -> [String] {
    var result = [folder]
    var queue = [folder]
    while let next = queue.popLast(), result.count < 1000 {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? []
      where !name.hasPrefix(".") && name != "build" {
        let path = next + "/" + name
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
          attributes[.type] as? FileAttributeType == .typeDirectory
        else { continue }
        result.append(path)
        queue.append(path)
      }
    }
    return result
  }

  /// Waits for a change, and until no further one has come for a moment: editors write in several steps.
  private static func waitForChange(_ watcher: FolderWatcher) async throws {
    for await _ in watcher.wakes {
      let isSource = watcher.changes().contains { change in
        switch change {
        case .written(let name), .closed(let name), .came(let name), .left(let name):
          !name.hasPrefix(".") && !name.hasSuffix("~") && !name.hasSuffix(".o") && name != "Package.resolved"
            && name != "build"
        case .overflow, .gone: true
        case .other: false
        }
      }
      if isSource { break }
    }
    try await Task.sleep(for: .milliseconds(200))
    _ = watcher.changes()
  }

  /// Builds, loads and checks once.
  ///
  /// - Returns: Whether everything has passed.
  private static func round(_ number: Int, _ folder: String, _ global: GlobalOptions) async -> Bool {
    let terminal = Terminal()
    let clock = ContinuousClock()
    let begin = clock.now
    func seconds() -> String { ((clock.now - begin) / .seconds(1)).spokenDuration }
    write(terminal.styled(say("round \(number)", de: "Runde \(number)"), .bold) + "\n")
    do {
      let build = PluginBuild(folder: folder, isRelease: false)
      let library = try mapped { try build.run(environment: ProcessInfo.processInfo.environment) { _ in } }
      if let command = build.command {
        write("  \(terminal.styled("✓", .green)) \(command.joined(separator: " "))  \(seconds())\n")
      }
      // New in each round: the configuration may have changed, too.
      let path = library.contains("/") ? library : "./" + library
      var check = try PluginCheck(try Project(try Workspace(global)), plugin: path)
      check.memoryCalls = 500
      let manifest = check.manifest
      let actions = LocalizedText.count(manifest.actions.count, "action", "actions", de: "Aktion", "Aktionen").spoken
      write(
        "  \(terminal.styled("✓", .green)) "
          + say(
            "loaded \(manifest.id) \(manifest.version), \(actions)",
            de: "\(manifest.id) \(manifest.version) geladen, \(actions)")
          + "\n")
      var report = ConformanceReport(isJSON: false)
      try await check.run(
        willRun: { _ in }, report: { if $0.outcome == .failed || !$0.findings.isEmpty { report.show($0) } })
      let hasFailed = report.hasFailed
      write(
        hasFailed
          ? "  \(terminal.styled("✗", .red)) \(say("the check failed", de: "die Prüfung ist fehlgeschlagen"))  \(seconds())\n"
          : "  \(terminal.styled("✓", .green)) \(say("the check passed", de: "die Prüfung ist bestanden"))  \(seconds())\n"
      )
      return !hasFailed
    } catch {
      guard !Task.isCancelled else { return false }
      let message =
        (error as? CommandError)?.message ?? (error as? UseCaseError)?.message ?? LocalizedText(verbatim: "\(error)")
      write("  \(terminal.styled("✗", .red)) \(message.spoken)\n")
      return false
    }
  }
}
