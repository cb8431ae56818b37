import ArgumentParser
import Expressions
import Foundation
import Localization
import Networking
import PluginHost
import PluginStore
import RecipeModel
import UseCases

/// The options of commands that fetch plugins.
struct PluginFetchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      say(
        "Look names up in this index instead of those of sous.yaml: an https URL or a file. Can be given several times.",
        de:
          "Namen in diesem Index statt in denen aus sous.yaml suchen: eine https-URL oder eine Datei. Mehrfach möglich."
      ),
      valueName: "index"))
  var index: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "Require a signature of this public key of minisign: the key itself, or its .pub file.",
        de:
          "Eine Signatur dieses öffentlichen Schlüssels von minisign verlangen: der Schlüssel selbst oder seine .pub-Datei."
      ),
      valueName: "key"))
  var key: String?

  @Flag(
    help: ArgumentHelp(
      say(
        "Install a version that is older than the installed one.",
        de: "Eine ältere als die installierte Version installieren.")
    ))
  var allowOlder = false

  @Flag(help: ArgumentHelp(say("Install without asking.", de: "Ohne Frage installieren.")))
  var yes = false
}

/// The plugins of the user, for one command.
struct PluginStoreAccess {
  let project: Project
  let installer: PluginInstaller
  /// The key of the command line.
  let key: SignatureKey?

  init(_ global: GlobalOptions, _ options: PluginFetchOptions? = nil) throws {
    project = try Project(try Workspace(global))
    var found: SignatureKey?
    if let text = options?.key { found = try Self.key(text) }
    key = found
    var indexes: [PluginIndexSource] = []
    let named = options?.index ?? []
    if named.isEmpty {
      for index in project.configuration.pluginIndexes {
        try project.trust.check(index)
        indexes.append(PluginIndexSource(location: Self.absolute(index.location), key: try index.key.map(Self.key)))
      }
    } else {
      indexes = named.map { PluginIndexSource(location: Self.absolute($0), key: found) }
    }
    let (searchPath, locks) = (project.manifests.searchPath, project.trust.locks)
    installer = try mapped {
      PluginInstaller(
        folder: try PluginFolder(searchPath), locks: locks, indexes: indexes,
        environment: ProcessInfo.processInfo.environment, network: NetworkService())
    }
  }

  /// A URL as it is, a path from the root: locks record it.
  private static func absolute(_ location: String) -> String {
    location.contains("://") ? location : URL(filePath: location).standardizedFileURL.path(percentEncoded: false)
  }

  /// The key of an option: the text, or that of a file.
  private static func key(_ text: String) throws -> SignatureKey {
    let contents =
      text.contains("/") || text.hasSuffix(".pub") ? try? String(contentsOfFile: text, encoding: .utf8) : nil
    return try mapped { try SignatureKey(contents ?? text) }
  }

  // MARK: - Asking

  /// The facts about a plugin that a person decides by.
  ///
  /// - Parameters:
  ///   - version: The version, if it is known before the library is opened.
  ///   - permissions: The access that it asks for.
  func describe(_ staged: StagedPlugin, version: String?, _ permissions: PluginPermissions) throws -> [String] {
    let terminal = Terminal(descriptor: 2)
    var lines = ["\(terminal.styled(staged.id, .bold)) \(version ?? "")  \(staged.source)"]
    lines.append(
      say("  SHA-256 of the library: \(staged.sha256)", de: "  SHA-256 der Bibliothek: \(staged.sha256)"))
    lines.append(
      staged.signer.map {
        say("  The signature is right: key \($0.name)", de: "  Die Signatur stimmt: Schlüssel \($0.name)")
      }
        ?? say(
          "  No signature was checked: no key is trusted for this source",
          de: "  Keine Signatur geprüft: Für diese Quelle wird keinem Schlüssel vertraut"))
    let installed = try mapped { try installer.installed(staged.id) }
    if let installed {
      lines.append(
        say("  Installed is version \(installed.version)", de: "  Installiert ist Version \(installed.version)"))
    } else if isBundled(staged.id) {
      lines.append(
        say(
          "  It takes the place of the plugin '\(staged.id)' that comes with Sous",
          de: "  Es tritt an die Stelle des Plugins '\(staged.id)', das mit Sous kommt"))
    }
    lines += permissions.sentences().map { "  - \($0.spoken)" }
    guard let installed else { return lines }
    let more = permissions.exceeding(installed.permissions)
    let less = installed.permissions.exceeding(permissions)
    if more.isEmpty, less.isEmpty {
      lines.append(say("  It asks for the same as before.", de: "  Es verlangt dasselbe wie bisher."))
    }
    if !more.isEmpty {
      lines.append(terminal.styled(say("  New in this version:", de: "  Neu in dieser Version:"), .yellow))
      lines += more.differenceSentences.map { "  + \($0.spoken)" }
    }
    if !less.isEmpty {
      lines.append(say("  No longer in this version:", de: "  Nicht mehr in dieser Version:"))
      lines += less.differenceSentences.map { "  − \($0.spoken)" }
    }
    return lines
  }

  private func isBundled(_ id: String) -> Bool {
    project.manifests.searchPath.folders.contains {
      $0.origin == .bundled && FileManager.default.fileExists(atPath: $0.path + "/lib\(id).so")
    }
  }

  /// Shows facts, and asks on a terminal.
  ///
  /// - Parameters:
  ///   - lines: The facts.
  ///   - question: The question, without the choices.
  ///   - yes: Whether the user has agreed on the command line.
  /// - Returns: Whether the user agrees.
  /// - Throws: `CommandError` with the remedy if the command cannot ask, because it runs without a terminal.
  static func confirm(_ lines: [String], _ question: LocalizedText, yes: Bool, undone: LocalizedText) throws -> Bool {
    let isQuiet = FormatOptions.isJSONWanted && yes
    if !isQuiet { writeError(lines.map { $0.singleLine + "\n" }.joined()) }
    if yes { return true }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1, !FormatOptions.isJSONWanted else {
      throw CommandError(
        ExitStatus.environment,
        .init(
          "there is no terminal to ask on: --yes agrees without a question; ",
          de: "hier ist kein Terminal für die Frage: "
            + "--yes stimmt ohne Frage zu; ") + undone, code: PluginStoreError.Code.notConfirmed.rawValue)
    }
    writeError(question.spoken + say(" [y/N] ", de: " [j/N] "))
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return ["y", "yes", "j", "ja"].contains(answer)
  }

  // MARK: - Installing

  /// Shows a plugin that was fetched, asks, checks it in a worker process and installs it.
  ///
  /// - Parameter lock: The path of the lock that demands the plugin; `nil` if the user named it.
  /// - Returns: The manifest; `nil` if the user does not agree.
  func install(
    _ staged: StagedPlugin, _ options: PluginFetchOptions, question: LocalizedText, demandedBy lock: String? = nil
  ) throws -> PluginManifest? {
    defer { staged.discard() }
    var manifest: PluginManifest?
    if staged.announced == nil { manifest = try mapped { try installer.inspect(staged) } }
    let version = manifest?.version ?? staged.announcedVersion?.description
    if !options.allowOlder, let version {
      try mapped { try installer.checkAge(staged.id, PluginVersion(version)) }
    }
    guard let permissions = manifest.map(PluginPermissions.init) ?? staged.announced else { return nil }
    let lines = try describe(staged, version: version, permissions)
    let nothing = LocalizedText("nothing was installed", de: "nichts wurde installiert")
    guard try Self.confirm(lines, question, yes: options.yes, undone: nothing) else { return nil }
    let checked = try manifest ?? mapped { try installer.inspect(staged) }
    try mapped { try installer.install(staged, checked, allowsOlder: options.allowOlder, demandedBy: lock) }
    return checked
  }

  /// The version, source and SHA-256 of an installed plugin as JSON.
  static func json(_ staged: StagedPlugin, _ manifest: PluginManifest) -> Value {
    [
      "id": .string(staged.id), "version": .string(manifest.version), "source": .string(staged.source),
      "sha256": .string(staged.sha256), "key": staged.signer.map { .string($0.text) } ?? .null,
      "permissions": PluginPermissions(manifest).json,
    ]
  }
}

/// Shows the output of a build on standard error, unless that is for machines.
func showBuildOutput(_ text: String) {
  if !FormatOptions.isJSONWanted { writeError(text) }
}

/// Does something with plugins, and throws an error of theirs as one of a command.
func mapped<Answer>(_ body: () throws -> Answer) throws -> Answer {
  do { return try body() } catch let error as PluginStoreError { throw CommandError(error) }
}

extension CommandError {
  /// An error of the store of plugins.
  init(_ error: PluginStoreError) {
    let status =
      switch error.code {
      case .wrongSource, .notUpdatable, .notInIndex, .notInstalled: ExitStatus.wrongInput
      case .interrupted: ExitStatus.interrupted
      default: ExitStatus.environment
      }
    self.init(status, error.message, code: error.code.rawValue)
  }
}
