import ArgumentParser
import Expressions
import Foundation
import Localization
import UseCases

/// `sous trust`: shows what a folder's configuration runs, reaches and reads, and allows it.
struct TrustCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "trust",
      abstract: say(
        "Show and allow what a folder's sous.yaml runs, connects to and reads.",
        de: "Zeigen und erlauben, was die sous.yaml eines Ordners ausführt, erreicht und liest."))
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
        "Also allow libraries in the folder that change, as the author of a plugin builds them.",
        de: "Auch Bibliotheken im Ordner erlauben, die sich ändern, wie beim Bauen eines Plugins.")))
  var builds = false

  @Flag(help: ArgumentHelp(say("List the trusted folders.", de: "Die Ordner auflisten, denen vertraut wird.")))
  var list = false

  @Flag(help: ArgumentHelp(say("Take the trust away.", de: "Das Vertrauen zurücknehmen.")))
  var revoke = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if [yes || builds, list, revoke].filter(\.self).count > 1 {
      throw ValidationError(
        say("give --yes, --list or --revoke", de: "--yes, --list oder --revoke angeben"))
    }
  }

  func run() throws {
    if list { return show(TrustStore(environment: ProcessInfo.processInfo.environment).all) }
    if revoke { return try takeAway() }
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
          "nobody can be asked here; to allow it: sous trust --yes",
          de: "hier kann niemand gefragt werden; zum Erlauben: sous trust --yes"), code: "not_trusted")
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
    write(
      say(
        "Trusted. A change of this asks again; a daemon sees it after its next start.\n",
        de: "Erlaubt. Eine Änderung daran fragt neu; ein Dienst sieht es nach dem nächsten Start.\n"))
  }

  private func workspace() throws(UseCaseError) -> Workspace {
    guard let folder else { return try Workspace(configuration: global.config, state: global.state, trusts: false) }
    return try Workspace(configuration: folder + "/sous.yaml", state: global.state, trusts: false)
  }

  private func takeAway() throws {
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
    var table = TextTable()
    for grant in grants { table.append([grant.folder, Timestamp(seconds: grant.granted).spokenLocalTime]) }
    write(
      grants.isEmpty
        ? say("no folder is trusted\n", de: "keinem Ordner wird vertraut\n")
        : table.lines().map { $0 + "\n" }.joined())
  }

  // MARK: - The question

  private static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Shows what is wanted and asks on the terminal.
  static func ask(_ folder: String, _ items: [TrustItem]) -> Bool {
    writeError(words(folder, items))
    writeError(say("Trust this folder? [y/N] ", de: "Diesem Ordner vertrauen? [j/N] "))
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return ["y", "yes", "j", "ja"].contains(answer)
  }

  private static func words(_ folder: String, _ items: [TrustItem]) -> String {
    let head = say("sous.yaml in \(folder)", de: "sous.yaml in \(folder)")
    guard !items.isEmpty else {
      return head + say(" needs no trust\n", de: " braucht kein Vertrauen\n")
    }
    return head + ":\n" + items.map { "  - \($0.text.spoken.singleLine)\n" }.joined()
  }

  /// Trusts what this program itself has just written into a folder.
  ///
  /// - Parameter builds: Whether the folder's own libraries may change.
  static func trustOwn(_ folder: String, builds: Bool = false) throws {
    var surroundings = Surroundings.ofProcess
    surroundings.trustQuestion = nil
    let project = try Project(try Workspace(configuration: folder + "/sous.yaml", surroundings))
    do throws(UseCaseError) {
      try project.trust.grant(project.trust.items(project.manifests), builds: builds)
    } catch {
      // The folder is made; without a home there is no place for the grant, and 'sous trust' says so.
      writeError(error.message.spoken + "\n")
    }
  }
}
