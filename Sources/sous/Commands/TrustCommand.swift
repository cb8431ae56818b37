import ArgumentParser
import Expressions
import Foundation
import Localization
import UseCases

/// `sous trust`: shows what a folder's configuration runs, connects to and reads, and allows it.
struct TrustCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "trust",
      abstract: say(
        "Show and allow what a folder's sous.yaml runs, connects to and reads.",
        de: "Zeigen und erlauben, was die sous.yaml eines Ordners ausführt, womit sie sich verbindet und was sie liest."
      ))
  }

  @Argument(
    help: ArgumentHelp(
      say("The folder (default: that of the configuration).", de: "Der Ordner (Vorgabe: der der Konfiguration)."),
      valueName: "folder"))
  var folder: String?

  @Flag(help: ArgumentHelp(say("Allow without a question.", de: "Ohne Rückfrage erlauben.")))
  var yes = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Also allow libraries in the folder to change, for authors who build a plugin there.",
        de: "Den Bibliotheken im Ordner auch Änderungen erlauben, für Autoren, die dort ein Plugin bauen.")))
  var builds = false

  @Flag(help: ArgumentHelp(say("List the trusted folders.", de: "Die Ordner auflisten, denen vertraut wird.")))
  var list = false

  @Flag(help: ArgumentHelp(say("Revoke the trust in the folder.", de: "Dem Ordner das Vertrauen entziehen.")))
  var revoke = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if [yes || builds, list, revoke].filter(\.self).count > 1 {
      throw ValidationError(
        say(
          "--list, --revoke and --yes or --builds exclude each other: use one of them",
          de: "--list, --revoke und --yes oder --builds schließen einander aus: nur eines davon angeben"))
    }
  }

  func run() throws {
    if list { return show(TrustStore(environment: ProcessInfo.processInfo.environment).all) }
    if revoke { return try revokeGrant() }
    let project = try Project(try workspace())
    let trust = project.trust
    guard project.workspace.configurationPath != nil else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init(
          "there is no sous.yaml in \(trust.folder) or above: nothing needs trust",
          de: "in \(trust.folder) und darüber gibt es keine sous.yaml: nichts braucht Vertrauen"))
    }
    let items = trust.items(project.manifests)
    let missing = trust.missing(project.manifests)
    guard yes || builds || global.trustWorkspace || missing.isEmpty || Self.canAsk else {
      writeError(Self.words(trust.folder, missing))
      throw CommandError(
        ExitStatus.environment,
        .init(
          "sous trust asks on a terminal, and there is none; to allow it without a question: sous trust --yes",
          de: "sous trust fragt an einem Terminal, und hier ist keines; ohne Rückfrage erlauben: sous trust --yes"),
        code: "not_trusted")
    }
    guard yes || builds || global.trustWorkspace || missing.isEmpty || Self.ask(trust.folder, missing) else {
      throw CommandError(
        ExitStatus.environment, .init("not allowed; nothing was changed", de: "nicht erlaubt; nichts wurde geändert"),
        code: "not_trusted")
    }
    try trust.grant(items, builds: builds)
    if format.json {
      return writeJSON(["folder": .string(trust.folder), "items": .list(items.map { .string($0.text.spoken) })])
    }
    write(Self.words(trust.folder, items))
    // A folder that needs no trust has just been called that.
    guard !items.isEmpty else { return }
    write(
      say(
        "Trusted. If any of this changes, Sous asks again. A running daemon applies it after its next start.\n",
        de:
          "Erlaubt. Ändert sich etwas davon, fragt Sous neu. Ein laufender Dienst beachtet es nach dem nächsten Start.\n"
      ))
  }

  private func workspace() throws(UseCaseError) -> Workspace {
    guard let folder else { return try Workspace(configuration: global.config, state: global.state, trusts: false) }
    return try Workspace(configuration: folder + "/sous.yaml", state: global.state, trusts: false)
  }

  private func revokeGrant() throws {
    let place: String
    if let folder { place = folder } else { place = try Project(try workspace()).trust.folder }
    let real = URL(fileURLWithPath: place).resolvingSymlinksInPath().path
    let hadAny = try TrustStore(environment: ProcessInfo.processInfo.environment).revoke(real)
    if format.json { return writeJSON(["folder": .string(real), "revoked": .bool(hadAny)]) }
    write(
      hadAny
        ? say("\(real) is no longer trusted\n", de: "\(real) wird nicht mehr vertraut\n")
        : say("\(real) was not trusted\n", de: "\(real) wurde nicht vertraut\n"))
  }

  private func show(_ grants: [TrustGrant]) {
    if format.json {
      return writeJSON(
        .list(
          grants.map { grant in
            [
              "folder": .string(grant.folder), "granted": .string(Timestamp(seconds: grant.granted).rfc3339),
              "items": .list(grant.items.sorted().map { .string($0) }), "builds": .bool(grant.builds != nil),
            ]
          }))
    }
    var table = TextTable([.init(say("folder", de: "Ordner")), .time(say("trusted since", de: "vertraut seit"))])
    for grant in grants { table.append([grant.folder, Timestamp(seconds: grant.granted).spokenLocalTime]) }
    write(
      grants.isEmpty
        ? say("no folder is trusted\n", de: "keinem Ordner wird vertraut\n")
        : table.text())
  }

  // MARK: - The question

  private static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Shows the items and asks on the terminal.
  static func ask(_ folder: String, _ items: [TrustItem]) -> Bool {
    writeError(words(folder, items))
    writeError(say("Trust this folder? [y/N] ", de: "Diesem Ordner vertrauen? [j/N] "))
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return ["y", "yes", "j", "ja"].contains(answer)
  }

  private static func words(_ folder: String, _ items: [TrustItem]) -> String {
    guard !items.isEmpty else {
      return say("sous.yaml in \(folder) needs no trust\n", de: "sous.yaml in \(folder) braucht kein Vertrauen\n")
    }
    return "sous.yaml in \(folder):\n" + items.map { "  - \($0.text.spoken.singleLine)\n" }.joined()
  }

  /// Trusts a configuration that this program itself has just written into a folder.
  ///
  /// - Parameter builds: Whether the folder's own libraries may change.
  static func trustOwn(_ folder: String, builds: Bool = false) throws {
    var surroundings = Surroundings.ofProcess
    surroundings.trustQuestion = nil
    let project = try Project(try Workspace(configuration: folder + "/sous.yaml", surroundings))
    do throws(UseCaseError) {
      try project.trust.grant(project.trust.items(project.manifests), builds: builds)
    } catch {
      // The folder itself is complete; without a home the grant cannot be stored, which is reported.
      writeError(error.message.spoken + "\n")
    }
  }
}
