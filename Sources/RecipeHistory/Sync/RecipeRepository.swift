import Foundation
import Hashing
import Localization
import RecipeModel
import UseCases

/// The copy of a Git repository in the state folder: fetched and read, never checked out. All calls block.
struct RecipeRepository {
  /// The most files of recipes, bytes of one, and bytes of all.
  private static let (mostFiles, largestFile, largestTotal) = (2000, 1 << 20, 32 << 20)
  /// The most commits of one sync whose signatures are checked.
  private static let mostCommits = 1000
  /// The ref in the copy.
  private static let tip = "refs/sous/tip"

  /// A commit.
  struct Commit: Sendable, Hashable {
    var hash: String
    var author: String
    var subject = ""
  }

  /// A file of the tree.
  struct File {
    var path: String
    var object: String
    var size: Int
  }

  private let order: RecipeSyncOrder
  private var git: GitCommand

  init(
    _ order: RecipeSyncOrder, folder: String, environment: [String: String], isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.order = order
    git = GitCommand(repository: folder, environment: environment)
    git.allowsHTTP = order.isOnThisMachine
    git.isCancelled = isCancelled
    guard case .signers(let file)? = order.settings.signatures else { return }
    // With a file of signers, keys of GnuPG do not count, whatever the user's keyring trusts.
    git.settings = [
      "gpg.ssh.allowedSignersFile=" + file, "gpg.program=false", "gpg.openpgp.program=false", "gpg.x509.program=false",
    ]
  }

  private var packs: String { git.repository + "/objects/pack" }

  /// Fetches the branch.
  ///
  /// - Returns: Its newest commit.
  /// - Throws: ``UseCaseError``.
  func fetch() throws(UseCaseError) -> Commit {
    let files = FileManager.default
    // Each fetch adds a pack, and nothing else packs them.
    if (try? files.contentsOfDirectory(atPath: packs).count) ?? 0 > 200 {
      try? files.removeItem(atPath: git.repository)
    }
    // A fetch that was ended leaves pieces that no later one uses.
    for name in (try? files.contentsOfDirectory(atPath: packs)) ?? [] where name.hasPrefix("tmp_") {
      try? files.removeItem(atPath: packs + "/" + name)
    }
    if !files.fileExists(atPath: git.repository + "/HEAD") {
      try? files.removeItem(atPath: git.repository)
      _ = try git.output(["init", "--bare", "--quiet", "--template=", git.repository])
    }
    var ref = "HEAD"
    if let branch = order.settings.branch {
      guard try git.run(["check-ref-format", "refs/heads/" + branch]).status == 0 else {
        throw .wrongInput(.init("'\(branch)' is not a branch", de: "'\(branch)' ist kein Branch"))
      }
      ref = "refs/heads/" + branch
    }
    var remote = git
    remote.sshCommand = try unsharedSSH()
    var isTooLarge = false
    // The next sync begins anew, so that it succeeds once the repository is small again.
    defer { if isTooLarge { try? files.removeItem(atPath: git.repository) } }
    _ = try remote.output(
      [
        "fetch", "--quiet", "--force", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--",
        order.settings.url, "+\(ref):\(Self.tip)",
      ],
      watch: { () throws(UseCaseError) in
        do throws(UseCaseError) {
          try checkSize()
        } catch {
          isTooLarge = true
          throw error
        }
      })
    return try commit(Self.tip)
  }

  /// The command for SSH without a connection that is shared: with `ControlPersist` in the settings of SSH, a process of its own would keep
  /// the connection open after the sync.
  ///
  /// - Returns: `nil` if the repository is not fetched by SSH, or if the settings of git name another program than `ssh`.
  private func unsharedSSH() throws(UseCaseError) -> String? {
    guard !order.isPath, !order.settings.url.lowercased().hasPrefix("http") else { return nil }
    let configured = try git.run(["config", "--get", "core.sshCommand"])
    let text = configured.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let command = configured.status == 0 && !text.isEmpty ? text : "ssh"
    guard let program = command.split(separator: " ").first, program == "ssh" || program.hasSuffix("/ssh") else {
      return nil
    }
    return command + " -o ControlMaster=no -o ControlPath=none"
  }

  private func checkSize() throws(UseCaseError) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: packs)) ?? []
    let bytes = files.reduce(0) { sum, name in
      let facts = try? FileManager.default.attributesOfItem(atPath: packs + "/" + name)
      return sum + ((facts?[.size] as? Int) ?? 0)
    }
    guard bytes <= GitCommand.largestRepository else { throw GitCommand.tooLarge }
  }

  /// A commit with its author and the first line of its message.
  private func commit(_ name: String) throws(UseCaseError) -> Commit {
    let bytes = try git.output(["log", "-1", "--format=%H%x00%an%x00%s", name])
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw Self.unreadable }
    return Commit(hash: String(parts[0]), author: Self.line(parts[1]), subject: Self.line(parts[2]))
  }

  /// Whether a commit is part of the history of another one.
  func isAncestor(_ commit: String, of other: String) throws(UseCaseError) -> Bool {
    try git.run(["merge-base", "--is-ancestor", commit, other]).status == 0
  }

  // MARK: - Signatures

  /// Refuses commits without a good signature of a known signer.
  ///
  /// - Parameters:
  ///   - commit: The newest commit. Its signature is checked, as it signs the files that are written.
  ///   - base: The last synced commit; those after it are checked too.
  /// - Throws: ``UseCaseError`` with code `signature_refused`.
  func verify(_ commit: Commit, since base: String?) throws(UseCaseError) {
    guard order.settings.signatures != nil else { return }
    if case .signers(let file)? = order.settings.signatures, !FileManager.default.isReadableFile(atPath: file) {
      throw .environment(
        .init(
          "the file of signers \(file) cannot be read", de: "die Datei der Unterzeichner \(file) lässt sich nicht lesen"
        ))
    }
    var ranges = [["-1", commit.hash]]
    if let base, base != commit.hash {
      ranges.append(["--max-count=\(Self.mostCommits + 1)", "\(base)..\(commit.hash)"])
    }
    for range in ranges {
      let bytes = try git.output(["log", "-z", "--format=%H %G? %an"] + range)
      let found = String(decoding: bytes, as: UTF8.self).split(separator: "\0")
      guard !found.isEmpty else { throw Self.unreadable }
      guard found.count <= Self.mostCommits else {
        throw .environment(
          .init(
            "more than \(Self.mostCommits) new commits: their signatures are not checked at once; sync more often",
            de:
              "mehr als \(Self.mostCommits) neue Commits: Ihre Signaturen werden nicht auf einmal geprüft; öfter synchronisieren"
          ))
      }
      for line in found {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count >= 2 else { throw Self.unreadable }
        guard words[1] == "G" else { throw refused(words) }
      }
    }
  }

  private func refused(_ words: [String]) -> UseCaseError {
    let reason: LocalizedText =
      switch words[1] {
      // Git says the same of an SSH signature if its settings name no signers.
      case "N" where order.settings.signatures == .trusted:
        .init(
          "is not signed, or the Git settings name no SSH signers (gpg.ssh.allowedSignersFile)",
          de:
            "ist nicht signiert, oder die Git-Einstellungen nennen keine SSH-Unterzeichner (gpg.ssh.allowedSignersFile)"
        )
      case "N": .init("is not signed", de: "ist nicht signiert")
      case "B": .init("has a signature that does not fit it", de: "hat eine Signatur, die nicht zu ihm passt")
      case "U", "E": .init("is signed by an unknown signer", de: "ist von einem unbekannten Unterzeichner signiert")
      case "X", "Y":
        .init(
          "has a signature or key that has expired",
          de: "hat eine abgelaufene Signatur oder einen abgelaufenen Schlüssel")
      case "R": .init("is signed by a revoked key", de: "ist mit einem widerrufenen Schlüssel signiert")
      default: .init("has a signature that cannot be checked", de: "hat eine Signatur, die sich nicht prüfen lässt")
      }
    let author = words.count > 2 ? " (\(Self.line(words[2][...])))" : ""
    return UseCaseError(
      .signatureRefused,
      LocalizedText("the commit \(words[0].prefix(12))\(author) ", de: "der Commit \(words[0].prefix(12))\(author) ")
        + reason
        + LocalizedText("; nothing was written", de: "; nichts wurde geschrieben"))
  }

  // MARK: - Files

  /// The recipes and tests in the folder: files with the endings `.yaml` and `.yml`, but not `sous.yaml` and hidden ones.
  ///
  /// - Returns: The files, and how many others are left out.
  /// - Throws: ``UseCaseError`` if the folder is missing, a recipe is a link, or there are too many.
  func files(of commit: Commit) throws(UseCaseError) -> (files: [File], others: Int) {
    let tree = order.folder.isEmpty ? commit.hash + "^{tree}" : "\(commit.hash):\(order.folder)"
    let result = try git.run(["ls-tree", "-r", "-z", "-l", tree], limit: 16 << 20)
    guard result.status == 0 else {
      throw .wrongInput(
        .init(
          "the repository has no folder '\(order.folder)'", de: "das Repository hat keinen Ordner '\(order.folder)'"))
    }
    var files: [File] = []
    var others = 0
    for entry in result.output.split(separator: 0) {
      guard let file = try Self.file(entry) else {
        others += 1
        continue
      }
      files.append(file)
    }
    let total = files.reduce(0) { $0 + $1.size }
    guard files.count <= Self.mostFiles, total <= Self.largestTotal, files.allSatisfy({ $0.size <= Self.largestFile })
    else {
      throw GitCommand.tooLarge
    }
    return (files, others)
  }

  /// A line of `ls-tree -l`: `MODE TYPE OBJECT SIZE<tab>PATH`; `nil` for a file that is not a recipe.
  private static func file(_ entry: ArraySlice<UInt8>) throws(UseCaseError) -> File? {
    guard let tab = entry.firstIndex(of: 0x09) else { throw unreadable }
    guard let path = String(validating: entry[(tab + 1)...], as: UTF8.self), isRecipe(path) else { return nil }
    let words = String(decoding: entry[..<tab], as: UTF8.self).split(separator: " ").map(String.init)
    guard words.count == 4 else { throw unreadable }
    guard words[0] != "120000" else {
      throw .wrongInput(
        .init(
          "'\(path)' in the repository is a link, which is not followed: put the file in its place",
          de: "'\(path)' im Repository ist ein Link, dem nicht gefolgt wird: die Datei an seine Stelle setzen"))
    }
    guard words[1] == "blob", let size = Int(words[3]) else { return nil }
    return File(path: path, object: words[2], size: size)
  }

  /// Whether a path is one of a recipe or of a test, which are taken over.
  static func isRecipe(_ path: String) -> Bool {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"), path.utf8.count <= 1000 else { return false }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".") && part.utf8.count <= 200
        && !part.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" }
    }
    // A configuration would say what this machine runs and connects to.
    return isPlain && parts.last != "sous.yaml" && parts.last != "sous.yml" && !parts.dropLast().contains("catalog")
  }

  /// The contents of files, by path.
  func contents(of files: [File]) throws(UseCaseError) -> [String: [UInt8]] {
    guard !files.isEmpty else { return [:] }
    let list = git.repository + "/sous-objects"
    do {
      try Data(files.map { $0.object + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: list))
    } catch {
      throw UseCaseError(error)
    }
    defer { try? FileManager.default.removeItem(atPath: list) }
    let bytes = try git.output(["cat-file", "--batch"], input: list, limit: Self.largestTotal + files.count * 128)
    var contents: [String: [UInt8]] = [:]
    var rest = bytes[...]
    for file in files {
      // OBJECT blob SIZE<line feed>CONTENT<line feed>
      guard let end = rest.firstIndex(of: 0x0A), rest.endIndex - (end + 1) > file.size,
        String(decoding: rest[..<end], as: UTF8.self) == "\(file.object) blob \(file.size)"
      else { throw Self.unreadable }
      contents[file.path] = Array(rest[(end + 1)..<(end + 1 + file.size)])
      rest = rest[(end + 2 + file.size)...]
    }
    return contents
  }

  /// The newest commit that has changed each file, as far as the newest 5000 commits show it.
  func writers(of commit: Commit, since base: String?) throws(UseCaseError) -> [String: Commit] {
    let range = base.map { "\($0)..\(commit.hash)" } ?? commit.hash
    let bytes = try git.output(
      [
        "log", "--max-count=5000", "--no-renames", "--name-only",
        "--relative=" + (order.folder.isEmpty ? "" : order.folder + "/"),
        "--format=%x01%H %an", range,
      ], limit: 64 << 20)
    var writers: [String: Commit] = [:]
    var current = commit
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("\u{1}") {
        let words = line.dropFirst().split(separator: " ", maxSplits: 1)
        current = Commit(hash: words.first.map(String.init) ?? "", author: words.count > 1 ? Self.line(words[1]) : "")
      } else if writers[String(line)] == nil {
        writers[String(line)] = current
      }
    }
    return writers
  }

  /// A text of a commit as one line without control characters.
  private static func line(_ text: Substring) -> String {
    String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init).prefix(200))
  }

  private static let unreadable = UseCaseError.environment(
    LocalizedText(
      "git has answered something that cannot be read; update git",
      de: "Git hat etwas geantwortet, das sich nicht lesen lässt; Git aktualisieren"))
}
