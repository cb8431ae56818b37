import Builtins
import Engine
import Expressions
import Foundation
import Localization
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileActionsTests {
  private let folder: TemporaryFolder
  private let outside: TemporaryFolder
  private let store = MemoryStateStore()
  private let caller: BuiltinCaller

  init() throws {
    folder = try TemporaryFolder()
    outside = try TemporaryFolder()
    for name in ["docs", ".sous", "odd-state"] {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
    }
    try folder.write(".sous/sous.db", "run log")
    try folder.write("odd-state/sous.db", "run log")
    try folder.write("sous.yaml", "providers: {}")
    try outside.write("secret", "secret")
    var surroundings = BuiltinSurroundings(
      folder: folder.path, stateFolder: folder("odd-state"), configuration: folder("sous.yaml"))
    surroundings.state = ProviderRecipeState(store) { _ in false }
    caller = BuiltinCaller(surroundings)
  }

  // MARK: Names that are not UTF-8

  /// Makes a file whose name is in Latin-1.
  private func writeLatin1(in folder: String) throws {
    let bytes = Array("\(folder)/lat".utf8) + [0xe9] + Array(".txt".utf8)
    let descriptor = open(bytes.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
  }

  @Test func aListWithANameThatIsNotUTF8FailsAndNamesIt() async throws {
    try writeLatin1(in: folder("docs"))
    try folder.write("docs/a.md", "x")
    await #expect(throws: ActionFailure(.invalidInput, .init(verbatim: ""))) {
      _ = try await caller.perform("file.list", ["path": "docs"])
    }
    do {
      _ = try await caller.perform("file.list", ["path": "docs"])
    } catch let error as ActionFailure {
      #expect(error.message.english.contains("lat\\xE9.txt"))
    }
    // One that does not belong to the list costs nothing.
    let found = try await caller.perform("file.list", ["path": "docs", "pattern": "*.md"])
    #expect(found["entries"]?.listValue?.count == 1)
  }

  @Test func aFolderIsDeletedWithNamesThatAreNotUTF8() async throws {
    try writeLatin1(in: folder("docs"))
    try folder.write("docs/a.md", "x")
    #expect(try await caller.perform("file.delete", ["path": "docs", "recursive": true]) == ["deleted": true])
    #expect(!FileManager.default.fileExists(atPath: folder("docs")))
  }

  @Test func aFolderThatCannotGoAsAWholeStaysAsAWhole() async throws {
    for name in ["docs/a", "docs/z/.sous"] {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
    }
    for name in ["docs/a/1", "docs/z/2", "docs/z/.sous/sous.db", "docs/3"] { try folder.write(name, "x") }
    #expect(try await caller.failure("file.delete", ["path": "docs", "recursive": true]) == .auth)
    for name in ["docs/a/1", "docs/z/2", "docs/3"] {
      #expect(FileManager.default.fileExists(atPath: folder(name)), "\(name)")
    }
  }

  // MARK: Reach

  @Test(arguments: [
    "../secret", "/etc/passwd", "docs/../../secret", ".sous/sous.db", "docs/../.sous/sous.db", ".sous",
    "odd-state/sous.db", "to-outside/secret", "to-outside-file", "to-state/sous.db", "to-dot-sous/sous.db", "/", "..",
  ])
  func nothingLeadsOutOfTheFolders(path: String) async throws {
    #expect(symlink(outside.path, folder("to-outside")) == 0)
    #expect(symlink(outside("secret"), folder("to-outside-file")) == 0)
    #expect(symlink("odd-state", folder("to-state")) == 0)
    #expect(symlink(".sous", folder("to-dot-sous")) == 0)
    let value = Value.string(path)
    let isFileLink = path == "to-outside-file"
    #expect(try await caller.failure("file.read", ["path": value]) == .auth)
    #expect(try await caller.failure("file.append", ["path": value, "content": "x"]) == .auth)
    // Of a link itself the name may go.
    if !isFileLink {
      #expect(try await caller.failure("file.write", ["path": value, "content": "x"]) == .auth)
      #expect(try await caller.failure("file.move", ["from": value, "to": "x"]) == .auth)
      #expect(try await caller.failure("file.delete", ["path": value, "recursive": true]) == .auth)
    }
    #expect(outside.text("secret") == "secret")
    #expect(folder.text(".sous/sous.db") == "run log")
    #expect(folder.text("odd-state/sous.db") == "run log")
  }

  @Test func theConfigurationIsReadButNotChanged() async throws {
    #expect(try await caller.perform("file.read", ["path": "sous.yaml"])["content"] == "providers: {}")
    #expect(try await caller.failure("file.write", ["path": "docs/../sous.yaml", "content": ""]) == .auth)
    #expect(try await caller.failure("file.append", ["path": "sous.yaml", "content": ""]) == .auth)
    #expect(try await caller.failure("file.delete", ["path": "sous.yaml"]) == .auth)
    try folder.write("docs/other.yaml", "")
    #expect(
      try await caller.failure("file.move", ["from": "docs/other.yaml", "to": "sous.yaml", "overwrite": true]) == .auth)
  }

  /// Second names, in `docs`, of what is Sous's own.
  private static let hardLinks = [
    "hard.env": "secrets.env", "hard.key": "keys/vault.key", "hard.db": "odd-state/sous.db",
    "hard.log": "odd-state/log/1",
    "hard.json": "cache/home.json", "hard.yaml": "conf/sous.yaml", "hard.so": "plugins/libmail.so",
    "built.so": "built/libbuilt.so", "web.so": "real-plugins/libweb.so", "odd.so": "odd.so",
  ]

  /// A project with everything inside that is Sous's own, some of it behind links.
  private func projectWithEverythingInside() throws -> BuiltinCaller {
    for name in ["plugins", "real-plugins", "keys", "cache", "conf", "built", "odd-state/log"] {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
    }
    for name in [
      "secrets.env", "keys/vault.key", "cache/home.json", "plugins/libmail.so", "real-plugins/libweb.so", "odd.so",
      "conf/sous.yaml", "plugins/readme.txt", "built/libbuilt.so", "built/readme.txt", "odd-state/log/1",
    ] { try folder.write(name, "own") }
    #expect(symlink("real-plugins", folder("linked-plugins")) == 0)
    #expect(symlink("conf/sous.yaml", folder("linked.yaml")) == 0)
    #expect(symlink("../middle.so", folder("plugins/liblinked.so")) == 0)
    #expect(symlink("built/libbuilt.so", folder("middle.so")) == 0)
    for (name, path) in Self.hardLinks { #expect(link(folder(path), folder("docs/" + name)) == 0) }
    let file = folder.callAsFunction
    var surroundings = BuiltinSurroundings(
      folder: folder.path, stateFolder: file("odd-state"), configuration: file("linked.yaml"),
      secrets: [file("secrets.env"), file("keys")],
      caches: [file("cache")], pluginFolders: [file("plugins"), file("linked-plugins"), file("plugins-to-come")],
      code: [file("odd.so")])
    surroundings.state = ProviderRecipeState(store) { _ in false }
    return BuiltinCaller(surroundings)
  }

  @Test(arguments: ["secrets.env", "docs/../secrets.env", "keys/vault.key", "cache/home.json"])
  func secretsAndWhatSousKeepsAreNotRead(path: String) async throws {
    let caller = try projectWithEverythingInside()
    #expect(try await caller.failure("file.read", ["path": .string(path)]) == .auth)
    #expect(folder.text(path) == "own")
  }

  @Test(arguments: [
    "secrets.env", "keys", "keys/vault.key", "keys/new", "cache/home.json", "plugins", "plugins/libmail.so",
    "plugins/libnew.so", "plugins/libc.so.6", "linked-plugins", "real-plugins", "real-plugins/libweb.so", "odd.so",
    "linked.yaml", "conf/sous.yaml", "conf", "plugins-to-come", "plugins-to-come/libx.so", "plugins/liblinked.so",
    "middle.so", "built/libbuilt.so", "built",
  ])
  func whatIsSousOwnIsNotChanged(path: String) async throws {
    let caller = try projectWithEverythingInside()
    let before = folder.text(path)
    let value = Value.string(path)
    try folder.write("docs/other", "other")
    for (action, input): (String, Value) in [
      ("file.write", ["path": value, "content": "x"]), ("file.append", ["path": value, "content": "x"]),
      ("file.delete", ["path": value, "recursive": true]), ("file.move", ["from": value, "to": "docs/stolen"]),
      ("file.move", ["from": "docs/other", "to": value, "overwrite": true]),
    ] {
      let kind = try await caller.failure(action, input)
      // Below a folder that does not exist there is nothing to delete or to move away.
      let isAbsent = path == "plugins-to-come/libx.so" && (kind == .notFound || kind == nil && action == "file.delete")
      #expect(kind == .auth || isAbsent, "\(action)")
    }
    #expect(!folder.exists("plugins-to-come"))
    #expect(folder.text(path) == before)
    #expect(folder.exists("docs/other"))
    #expect(!folder.exists("docs/stolen"))
  }

  @Test(arguments: hardLinks.keys.sorted()) func whatIsSousOwnIsSoUnderEveryName(name: String) async throws {
    let caller = try projectWithEverythingInside()
    let path = try #require(Self.hardLinks[name])
    let before = folder.text(path)
    let isPublic = ["conf/sous.yaml", "built/libbuilt.so", "odd.so"].contains(path) || path.contains("plugins/")
    let value = Value.string("docs/" + name)
    for overwrite in [true, false] {
      let input: Value = ["path": value, "content": .string(before ?? ""), "overwrite": .bool(overwrite)]
      #expect(try await caller.failure("file.write", input) == .auth)
    }
    #expect(try await caller.failure("file.append", ["path": value, "content": "x"]) == .auth)
    if isPublic {
      #expect(try await caller.perform("file.read", ["path": value])["content"] == .string("own"))
    } else {
      #expect(try await caller.failure("file.read", ["path": value]) == .auth)
      #expect(try await caller.failure("file.move", ["from": value, "to": "docs/stolen"]) == .auth)
    }
    #expect(folder.text(path) == before)
    // The name alone may go.
    _ = try await caller.perform("file.delete", ["path": value])
    #expect(folder.text(path) == before)
  }

  @Test func aFileWithTwoNamesThatIsNobodysIsFree() async throws {
    let caller = try projectWithEverythingInside()
    try folder.write("docs/a", "a")
    #expect(link(folder("docs/a"), folder("docs/b")) == 0)
    _ = try await caller.perform("file.append", ["path": "docs/b", "content": "b"])
    #expect(try await caller.perform("file.read", ["path": "docs/a"])["content"] == "ab")
    _ = try await caller.perform("file.write", ["path": "docs/b", "content": "new"])
    #expect(folder.text("docs/a") == "ab")
  }

  @Test func whatLiesBesideSousOwnIsFree() async throws {
    let caller = try projectWithEverythingInside()
    #expect(try await caller.perform("file.read", ["path": "plugins/libmail.so"])["content"] == "own")
    #expect(try await caller.perform("file.read", ["path": "conf/sous.yaml"])["content"] == "own")
    for path in [
      "plugins/readme.txt", "conf/other.yaml", "secrets.env.example", "plugins/data/x.so", "built/readme.txt",
    ] {
      _ = try await caller.perform("file.write", ["path": .string(path), "content": "x"])
    }
    _ = try await caller.perform("file.delete", ["path": "docs", "recursive": true])
  }

  @Test func furtherFoldersAreReachedByTheirPaths() async throws {
    let caller = BuiltinCaller(BuiltinSurroundings(folder: folder.path, fileFolders: ["docs", outside.path]))
    #expect(try await caller.perform("file.read", ["path": .string(outside("secret"))])["content"] == "secret")
    _ = try await caller.perform("file.write", ["path": "docs/a", "content": "x"])
    #expect(try await caller.failure("file.write", ["path": "a", "content": "x"]) == .auth)
  }

  @Test func aFolderMayBeNamedByALink() async throws {
    #expect(symlink(outside.path, folder("link")) == 0)
    let caller = BuiltinCaller(BuiltinSurroundings(folder: folder.path, fileFolders: ["link"]))
    #expect(try await caller.perform("file.read", ["path": "link/secret"])["content"] == "secret")
    #expect(try await caller.perform("file.read", ["path": .string(outside("secret"))])["content"] == "secret")
  }

  @Test(arguments: [true, false]) func aFolderIsNotMovedIntoItself(overwrite: Bool) async throws {
    #expect(
      try await caller.failure("file.move", ["from": "docs", "to": "docs/deep/docs", "overwrite": .bool(overwrite)])
        == .invalidInput)
    #expect(folder.exists("docs"))
  }

  // MARK: Reading and writing

  @Test func whatIsWrittenIsRead() async throws {
    let written = try await caller.perform("file.write", ["path": "new/sub/a.txt", "content": "Grüezi\n"])
    #expect(written == ["path": .string(folder("new/sub/a.txt")), "size": 8])
    let read = try await caller.perform("file.read", ["path": "./new//sub/../sub/a.txt"])
    #expect(read["content"] == "Grüezi\n")
    #expect(read["modified"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } != nil)
    let bytes = try await caller.perform("file.read", ["path": "new/sub/a.txt", "encoding": "base64"])
    #expect(bytes["content"] == "R3LDvGV6aQo=")
    _ = try await caller.perform("file.write", ["path": "b", "content": "/wA=", "encoding": "base64"])
    #expect(try Array(Data(contentsOf: URL(filePath: folder("b")))) == [0xFF, 0])
    #expect(try await caller.failure("file.read", ["path": "b"]) == .parse)
  }

  @Test func aReplacedFileKeepsItsPermissionsAndNothingIsLeftBeside() async throws {
    try folder.write("a", "old")
    chmod(folder("a"), 0o640)
    // What an earlier attempt has left when the process died goes, what a stranger has left stays.
    _ = try await caller.perform("file.write", ["path": "a", "content": "new"])
    var information = stat()
    #expect(stat(folder("a"), &information) == 0 && information.st_mode & 0o777 == 0o640)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix(".sous-unfinished") })
  }

  @Test func writingReplacesALinkAndNotWhatItLeadsTo() async throws {
    #expect(symlink(outside("secret"), folder("a")) == 0)
    _ = try await caller.perform("file.write", ["path": "a", "content": "mine"])
    #expect(outside.text("secret") == "secret")
    #expect(folder.text("a") == "mine")
  }

  @Test func withoutOverwritingOnlyTheSameContentIsFine() async throws {
    let input: Value = ["path": "a", "content": "x", "overwrite": false]
    _ = try await caller.perform("file.write", input)
    _ = try await caller.perform("file.write", input)
    #expect(try await caller.failure("file.write", ["path": "a", "content": "y", "overwrite": false]) == .failed)
    #expect(folder.text("a") == "x")
  }

  @Test(
    arguments: [
      ("file.read", ["path": "nothing"], "not_found"), ("file.read", ["path": "no/folder/here"], "not_found"),
      ("file.read", ["path": "docs"], "failed"), ("file.read", ["path": "fifo"], "failed"),
      ("file.read", ["path": "big", "max_bytes": 10], "invalid_input"),
      ("file.read", ["path": "a\u{0}b"], "invalid_input"), ("file.write", ["path": "docs", "content": ""], "failed"),
      ("file.write", ["path": "big/x", "content": ""], "failed"),
      ("file.write", ["path": "no/x", "content": "", "create_folders": false], "not_found"),
      ("file.write", ["path": "x", "content": "!", "encoding": "base64"], "invalid_input"),
      ("file.list", ["path": "nothing"], "not_found"), ("file.list", ["path": "big"], "failed"),
      ("file.move", ["from": "nothing", "to": "x"], "not_found"),
      ("file.move", ["from": "big", "to": "docs"], "failed"),
      ("file.delete", ["path": "docs"], "failed"), ("file.delete", ["path": "."], "invalid_input"),
    ] as [(String, Value, String)])
  func whatCannotBeDoneHasAKind(action: String, input: Value, kind: String) async throws {
    try folder.write("big", "01234567890")
    try folder.write("docs/x", "x")
    #expect(mkfifo(folder("fifo"), 0o600) == 0)
    #expect(try await caller.failure(action, input)?.rawValue == kind)
  }

  // MARK: Appending

  @Test func additionsFollowEachOther() async throws {
    _ = try await caller.perform("file.append", ["path": "log", "content": "a", "newline": true], key: "1")
    let output = try await caller.perform("file.append", ["path": "log", "content": "b\n", "newline": true], key: "2")
    #expect(folder.text("log") == "a\nb\n")
    #expect(output["size"] == 4)
  }

  @Test func aRepeatedAdditionIsNotAddedTwice() async throws {
    try folder.write("log", "start\n")
    let input: Value = ["path": "log", "content": "line\n"]
    _ = try await caller.perform("file.append", input, key: "1")
    _ = try await caller.perform("file.append", input, key: "1")
    #expect(folder.text("log") == "start\nline\n")
    _ = try await caller.perform("file.append", input, key: "2")
    _ = try await caller.perform("file.append", input, key: "1")
    #expect(folder.text("log") == "start\nline\nline\n")
  }

  @Test(arguments: [
    // What an attempt that was cut off has left behind, and what the next one makes of it.
    ("start\n", "start\nline\n"), ("start\nli", "start\nline\n"), ("start\nline\n", "start\nline\n"),
    ("start\nother\n", "start\nother\nline\n"), ("", "line\n"),
  ])
  func anInterruptedAdditionIsCompleted(left: String, expected: String) async throws {
    try folder.write("log", left)
    try state.setBeginOfAddition(6, by: "1", to: log)
    let input: Value = ["path": "log", "content": "line\n"]
    let output = try await caller.perform("file.append", input, key: "1")
    #expect(folder.text("log") == expected)
    #expect(output["size"] == .int(Int64(expected.utf8.count)))
    _ = try await caller.perform("file.append", input, key: "1")
    #expect(folder.text("log") == expected)
  }

  /// What notes stand in, and the path under which additions to the file `log` do.
  private var state: ProviderRecipeState { ProviderRecipeState(store) { _ in false } }
  private var log: String {
    (realpath(folder.path, nil).map { path in
      defer { free(path) }
      return String(cString: path)
    } ?? folder.path) + "/log"
  }

  @Test func whatALaterCallHasAddedAtThePlaceIsNotTakenForTheEarlierOnes() async throws {
    try folder.write("log", "start\n")
    // Noted, and then the process died.
    try state.setBeginOfAddition(6, by: "1", to: log)
    let input: Value = ["path": "log", "content": "line\n"]
    _ = try await caller.perform("file.append", input, key: "2", recipe: "other")
    _ = try await caller.perform("file.append", input, key: "1")
    #expect(folder.text("log") == "start\nline\nline\n")
    for key in ["1", "2"] { _ = try await caller.perform("file.append", input, key: key) }
    #expect(folder.text("log") == "start\nline\nline\n")
  }

  @Test(arguments: [1, 3]) func whatOthersAddMeanwhileIsKept(times: Int) async throws {
    try folder.write("log", "start\n")
    let path = folder("log")
    let rest = Mutex(times)
    // Between looking at the end of the file and writing there, a program adds that knows nothing of locks.
    store.whenItCommits {
      let isDue = rest.withLock { rest -> Bool in
        rest -= 1
        return rest >= 0
      }
      guard isDue, let file = FileHandle(forWritingAtPath: path) else { return }
      file.seekToEndOfFile()
      file.write(Data("foreign\n".utf8))
      try? file.close()
    }
    let input: Value = ["path": "log", "content": "line\n"]
    let output = try await caller.perform("file.append", input, key: "1")
    let expected = "start\n" + String(repeating: "foreign\n", count: times) + "line\n"
    #expect(folder.text("log") == expected)
    #expect(output["size"] == .int(Int64(expected.utf8.count)))
    _ = try await caller.perform("file.append", input, key: "1")
    #expect(folder.text("log") == expected)
  }

  @Test func additionsAtTheSameTimeAreAllThere() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask { [caller] in
          let content = String(repeating: "\(number % 10)", count: 1000)
          _ = try await caller.perform(
            "file.append", ["path": "log", "content": .string(content), "newline": true], key: "\(number)")
        }
      }
      try await group.waitForAll()
    }
    let lines = folder.text("log")?.split(separator: "\n") ?? []
    #expect(lines.count == 50)
    #expect(lines.allSatisfy { $0.count == 1000 && Set($0).count == 1 })
  }

  // MARK: Listing, moving, deleting

  @Test func aFolderIsListedWithoutWhatIsNotTheRecipes() async throws {
    for name in ["b.txt", "a.txt", "c.md", ".hidden", ".sous-unfinished-x-1", "docs/d.txt"] {
      try folder.write(name, "x")
    }
    #expect(symlink(outside.path, folder("link.txt")) == 0)
    func names(_ input: Value) async throws -> [String] {
      try await caller.perform("file.list", input)["entries"]?.listValue?.compactMap { $0["name"]?.stringValue } ?? []
    }
    #expect(try await names(["pattern": "*.txt"]) == ["a.txt", "b.txt", "link.txt"])
    #expect(try await names([:]) == ["a.txt", "b.txt", "c.md", "docs", "link.txt", "sous.yaml"])
    #expect(try await names(["pattern": "*.txt", "recursive": true]) == ["a.txt", "b.txt", "d.txt", "link.txt"])
    #expect(try await names(["hidden": true, "pattern": ".*"]) == [".hidden"])
    #expect(try await names(["path": "docs"]) == ["d.txt"])
    #expect(try await caller.failure("file.list", ["limit": 2]) == .invalidInput)
    let entry = try await caller.perform("file.list", ["path": "docs"])["entries"]?[0]
    #expect(entry?["path"] == .string(folder("docs/d.txt")))
    #expect(entry?["type"] == "file")
    #expect(entry?["size"] == 1)
  }

  @Test func aMoveReplacesNothingUnlessItMay() async throws {
    try folder.write("a", "a")
    try folder.write("b", "b")
    #expect(try await caller.failure("file.move", ["from": "a", "to": "b"]) == .failed)
    #expect(folder.text("b") == "b")
    let output = try await caller.perform("file.move", ["from": "a", "to": "new/b"])
    #expect(output["path"] == .string(folder("new/b")))
    #expect(!folder.exists("a"))
    _ = try await caller.perform("file.move", ["from": "new/b", "to": "b", "overwrite": true])
    #expect(folder.text("b") == "a")
  }

  /// How far a move had come when the process died, and what others have done since.
  struct LostMove: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var begun: Begun
    var verdict: String
    var meanwhile: @Sendable (TemporaryFolder) throws -> Void = { _ in }

    enum Begun: Sendable { case nothing, noted, moved }
  }

  static let lostMoves: [LostMove] = [
    LostMove(testDescription: "nothing was done yet", begun: .nothing, verdict: "not_done"),
    LostMove(testDescription: "nothing was done, and the file is gone", begun: .nothing, verdict: "unknown") { folder in
      try folder.write("to", "x")
      try FileManager.default.removeItem(atPath: folder("from"))
    },
    LostMove(testDescription: "noted alone", begun: .noted, verdict: "not_done"),
    LostMove(testDescription: "noted alone, with a file at the new place", begun: .noted, verdict: "not_done") {
      try $0.write("to", "x")
    },
    LostMove(testDescription: "noted, and somebody took the file away", begun: .noted, verdict: "unknown") { folder in
      try folder.write("to", "x")
      try FileManager.default.removeItem(atPath: folder("from"))
    },
    LostMove(testDescription: "moved", begun: .moved, verdict: "done"),
    LostMove(testDescription: "moved, and a new file has come", begun: .moved, verdict: "done") {
      try $0.write("from", "new")
    },
    LostMove(testDescription: "moved, and taken away", begun: .moved, verdict: "unknown") { folder in
      try FileManager.default.removeItem(atPath: folder("to"))
    },
    LostMove(testDescription: "moved, and another file has come in its place", begun: .moved, verdict: "unknown") {
      try $0.write("other", "x")
      #expect(rename($0("other"), $0("to")) == 0)
    },
    LostMove(testDescription: "moved, and a new file has got the number", begun: .moved, verdict: "unknown") { folder in
      var moved = stat()
      var new = stat()
      #expect(stat(folder("to"), &moved) == 0)
      try FileManager.default.removeItem(atPath: folder("to"))
      var isEarly = true
      // Most file systems give the number again at once; times of birth are as coarse as the kernel's clock.
      repeat {
        unlink(folder("from"))
        try folder.write("from", "new")
        #expect(stat(folder("from"), &new) == 0)
        let seconds = new.st_mtim.tv_sec - moved.st_mtim.tv_sec
        isEarly = seconds * 1_000_000_000 + new.st_mtim.tv_nsec - moved.st_mtim.tv_nsec < 50_000_000
      } while isEarly
    },
    LostMove(testDescription: "moved, and the old place cannot be looked at", begun: .moved, verdict: "auth") {
      #expect(symlink("..", $0("docs/link")) == 0)
    },
  ]

  @Test(arguments: lostMoves) func aLostMoveIsFoundOut(_ move: LostMove) async throws {
    try folder.write("from", "content")
    let input: Value = ["from": move.verdict == "auth" ? "docs/link/from" : "from", "to": "to"]
    switch move.begun {
    case .nothing: break
    case .noted:
      _ = try await caller.perform("file.move", ["from": "from", "to": "to"], key: "1")
      #expect(rename(folder("to"), folder("from")) == 0)
    case .moved: _ = try await caller.perform("file.move", ["from": "from", "to": "to"], key: "1")
    }
    try move.meanwhile(folder)
    do {
      switch try await caller.verify("file.move", input, key: "1") {
      case .done(let output): #expect(move.verdict == "done" && output["path"] == .string(folder("to")))
      case .notDone: #expect(move.verdict == "not_done")
      case .unknown: #expect(move.verdict == "unknown")
      }
    } catch let error as ActionFailure {
      #expect(error.kind.rawValue == move.verdict)
    }
  }

  @Test(.enabled(if: FileActionsTests.hasOtherFileSystem, "needs /dev/shm on a file system of its own"))
  func aLostMoveOntoAnotherFileSystemIsFoundOut() async throws {
    let other = "/dev/shm/sous-builtins-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: other) }
    var surroundings = BuiltinSurroundings(folder: folder.path, fileFolders: [".", other])
    surroundings.state = state
    let caller = BuiltinCaller(surroundings)
    try folder.write("a", "content")
    let input: Value = ["from": "a", "to": .string(other + "/a")]
    _ = try await caller.perform("file.move", input, key: "1")
    #expect(try await caller.verify("file.move", input, key: "1") == .done(output: ["path": .string(other + "/a")]))
    try FileManager.default.copyItem(atPath: other + "/a", toPath: other + "/b")
    #expect(rename(other + "/b", other + "/a") == 0)
    #expect(try await caller.verify("file.move", input, key: "1") == .unknown)
  }

  @Test(.enabled(if: FileActionsTests.hasOtherFileSystem, "needs /dev/shm on a file system of its own"))
  func aMoveOntoAnotherFileSystemCopies() async throws {
    let other = "/dev/shm/sous-builtins-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: other) }
    let caller = BuiltinCaller(BuiltinSurroundings(folder: folder.path, fileFolders: [".", other]))
    try folder.write("a", "content")
    chmod(folder("a"), 0o600)
    _ = try await caller.perform("file.move", ["from": "a", "to": .string(other + "/a")])
    #expect(!folder.exists("a"))
    #expect(try String(contentsOfFile: other + "/a", encoding: .utf8) == "content")
    // Copied, and then the process died: the repetition only has to take the old one away.
    try folder.write("a", "content")
    _ = try await caller.perform("file.move", ["from": "a", "to": .string(other + "/a")])
    #expect(!folder.exists("a"))
    try folder.write("a", "other")
    #expect(try await caller.failure("file.move", ["from": "a", "to": .string(other + "/a")]) == .failed)
  }

  static let hasOtherFileSystem: Bool = {
    var shared = stat()
    var temporary = stat()
    return stat("/dev/shm", &shared) == 0 && stat(NSTemporaryDirectory(), &temporary) == 0
      && shared.st_dev != temporary.st_dev && access("/dev/shm", W_OK) == 0
  }()

  @Test func whatIsGoneNeedNotBeDeleted() async throws {
    try folder.write("docs/x", "x")
    #expect(symlink(outside.path, folder("docs/link")) == 0)
    #expect(try await caller.perform("file.delete", ["path": "docs/x"]) == ["deleted": true])
    #expect(try await caller.perform("file.delete", ["path": "docs/x"]) == ["deleted": false])
    #expect(try await caller.perform("file.delete", ["path": "no/folder/x"]) == ["deleted": false])
    #expect(try await caller.perform("file.delete", ["path": "docs", "recursive": true]) == ["deleted": true])
    #expect(outside.text("secret") == "secret")
  }
}
