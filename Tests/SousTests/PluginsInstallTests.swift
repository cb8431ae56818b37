import Expressions
import FixturePlugins
import Foundation
import TestSupport
import Testing

/// Plugins from files, URLs and an index on a server, as a person gets them.
@Suite(.timeLimit(.minutes(15))) struct PluginsInstallTests {
  private let hostMembers = #""hosts": ["api.example.com"], "#

  /// A project, and a server with an index.
  private func start(_ configuration: String = "") throws -> (sous: SousProcess, server: StaticServer) {
    let sous = try SousProcess()
    let server = try StaticServer()
    try sous.write("sous.yaml", "plugins: { index: [\"\(server.url)/index.json\"] }\n" + configuration)
    return (sous, server)
  }

  /// Packs a library, puts the archive on the server, and writes an index with these libraries.
  private func publish(_ libraries: [String], _ sous: SousProcess, _ server: StaticServer) throws {
    try? FileManager.default.removeItem(atPath: sous.folder + "/index.json")
    for library in libraries {
      let outcome = try sous("plugins", "pack", library, "--index", "index.json", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let name = try #require(try outcome.json["entry"]?["url"]?.stringValue)
      server.put("/" + name, try bytes(sous.folder + "/" + name))
    }
    server.put("/index.json", try bytes(sous.folder + "/index.json"))
  }

  private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  private func installed(_ sous: SousProcess) -> String { sous.folder + "/.local/share/sous/plugins/libparcel.so" }

  private func lock(_ sous: SousProcess) throws -> Value? {
    try Value(json: bytes(sous.folder + "/sous.lock"))["plugins"]?["parcel"]
  }

  /// No library, no entry, no hidden folder.
  private func isUntouched(_ sous: SousProcess) -> Bool {
    let folder = sous.folder + "/.local/share/sous/plugins"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.allSatisfy { $0 == ".lock" } && !FileManager.default.fileExists(atPath: sous.folder + "/sous.lock")
  }

  private func code(_ outcome: SousProcess.Outcome) throws -> String? {
    try Value(json: Array(outcome.errors.split(separator: "\n").last.map(String.init)?.utf8 ?? "".utf8))["error"]?[
      "code"]?
      .stringValue
  }

  @Test func aPluginOfAnIndexIsInstalledLockedAndUsed() throws {
    let (sous, server) = try start("providers: { mine: { plugin: parcel } }\n")
    defer { server.end(); sous.remove() }
    try publish(
      [try FixtureLibrary.parcel("1.0.0", members: hostMembers), try FixtureLibrary.parcel("1.1.0-rc.1")], sous, server)
    let asked = try sous("plugins", "install", "parcel")
    #expect(asked.status == 3 && asked.errors.contains("--yes"))
    #expect(asked.errors.contains("api.example.com"))
    #expect(isUntouched(sous))
    let outcome = try sous("plugins", "install", "parcel", "--yes", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    // A pre-release is not taken where a release exists.
    #expect(try outcome.json["version"] == "1.0.0")
    let entry = try lock(sous)
    #expect(entry?["sha256"] == (try outcome.json["sha256"]) && entry?["hosts"] == ["api.example.com"])
    #expect(entry?["index"]?.stringValue == server.url + "/index.json")
    try sous.write(
      "go.yaml",
      "name: go\nsteps:\n  - { id: a, uses: parcel.version }\noutputs: { is: \"{{ steps.a.output.version }}\" }\n")
    let run = try sous("run", "go.yaml")
    #expect(run.status == 0 && run.output.contains("1.0.0"), "\(run.errors)")
    #expect(try sous("plugins", "verify").status == 0)
    let listed = try #require(try sous("plugins", "list", "--json").json.listValue?.first { $0["id"] == "parcel" })
    #expect(listed["lock"] == "locked" && listed["source"]?.stringValue?.hasPrefix(server.url) == true)
    let shown = try sous("plugins", "show", "parcel", "--lang", "de")
    #expect(shown.output.contains("Es erreicht diese Hosts: api.example.com."))
  }

  /// Two projects of one user whose locks name different versions.
  @Test func eachProjectGetsTheVersionOfItsLock() throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    let configuration = "providers: { mine: { plugin: parcel } }\n"
    let recipe =
      "name: go\nsteps:\n  - { id: a, uses: parcel.version }\noutputs: { is: \"{{ steps.a.output.version }}\" }\n"
    for project in ["one", "two", "three"] {
      try sous.write(project + "/sous.yaml", configuration)
      try sous.write(project + "/go.yaml", recipe)
    }
    func version(_ project: String) throws -> String? {
      let run = try sous.run("/bin/sh", ["-c", "cd \(project) && '\(SousProcess.executable)' run go.yaml --json"])
      #expect(run.status == 0, "\(project): \(run.errors)")
      return try run.json["outputs"]?["is"]?.stringValue
    }
    func plugins(_ project: String, _ arguments: String) throws -> SousProcess.Outcome {
      try sous.run("/bin/sh", ["-c", "cd \(project) && '\(SousProcess.executable)' plugins \(arguments)"])
    }
    let (old, new) = (try FixtureLibrary.parcel("1.0.0"), try FixtureLibrary.parcel("1.1.0"))
    #expect(try plugins("one", "install '\(old)' --yes").status == 0)
    #expect(try version("one") == "1.0.0")
    #expect(try plugins("two", "install '\(new)' --yes").status == 0)
    // The third project has no lock.
    #expect(try version("one") == "1.0.0" && version("two") == "1.1.0" && version("three") == "1.1.0")
    for project in ["one", "two"] {
      #expect(try plugins(project, "verify").status == 0)
      let listed = try #require(try plugins(project, "list --json").json.listValue?.first { $0["id"] == "parcel" })
      #expect(listed["lock"] == "locked" && listed["origin"] == "user", "\(listed)")
    }
    // A version that is missing comes back beside the newest one.
    let folder = sous.folder + "/.local/share/sous/plugins/"
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.count == 64 }
    #expect(kept.count == 1)
    for name in kept { try FileManager.default.removeItem(atPath: folder + name) }
    #expect(try plugins("one", "verify").status == 1)
    #expect(try plugins("one", "install --yes").status == 0)
    #expect(try version("one") == "1.0.0" && version("two") == "1.1.0" && version("three") == "1.1.0")
    // A kept version that was changed is refused.
    let library = folder + kept[0] + "/libparcel.so"
    try FileManager.default.removeItem(atPath: library)
    try FileManager.default.copyItem(atPath: try FixtureLibrary.parcel("6.6.6"), toPath: library)
    let refused = try sous.run("/bin/sh", ["-c", "cd one && '\(SousProcess.executable)' run go.yaml --json"])
    #expect(refused.status != 0 && refused.errors.contains("plugin_changed"), "\(refused.errors)")
    #expect(try plugins("two", "remove parcel --yes").status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { $0.hasPrefix(".") })
  }

  @Test func aChangedFileIsNotOpened() throws {
    let (sous, server) = try start("providers: { mine: { plugin: parcel } }\n")
    defer { server.end(); sous.remove() }
    #expect(try sous("plugins", "install", try FixtureLibrary.parcel("1.0.0"), "--yes").status == 0)
    try FileManager.default.removeItem(atPath: installed(sous))
    try FileManager.default.copyItem(atPath: try FixtureLibrary.parcel("6.6.6"), toPath: installed(sous))
    try sous.write("go.yaml", "name: go\nsteps:\n  - { id: a, uses: parcel.version }\n")
    let run = try sous("run", "go.yaml", "--json")
    #expect(run.status != 0 && run.errors.contains("plugin_changed"), "\(run.errors)")
    let verified = try sous("plugins", "verify", "--json")
    #expect(verified.status == 1)
    #expect(try verified.json[0]?["state"] == "changed")
    #expect(try sous("plugins", "list").status == 3)
    // Exactly the file of the lock comes back.
    #expect(try sous("plugins", "install", "--yes").status == 0)
    #expect(try sous("plugins", "verify").status == 0)
    #expect(try sous("run", "go.yaml").status == 0)
  }

  @Test func aChangedPluginOfTheUsersLockIsRepaired() throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    #expect(try sous("plugins", "install", try FixtureLibrary.parcel("1.0.0"), "--yes").status == 0)
    try FileManager.default.removeItem(atPath: sous.folder + "/sous.lock")
    try FileManager.default.removeItem(atPath: installed(sous))
    try FileManager.default.copyItem(atPath: try FixtureLibrary.parcel("6.6.6"), toPath: installed(sous))
    #expect(try sous("plugins", "verify").status == 1)
    #expect(try sous("plugins", "install", "--yes").status == 0)
    #expect(try sous("plugins", "verify").status == 0)
    // The project does not demand the plugin.
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/sous.lock"))
  }

  @Test func anUpdateShowsNewPermissionsAndRemovalAsks() throws {
    let (sous, server) = try start("providers: { mine: { plugin: parcel } }\n")
    defer { server.end(); sous.remove() }
    let (old, new) = (try FixtureLibrary.parcel("1.0.0"), try FixtureLibrary.parcel("1.1.0", members: hostMembers))
    try publish([old], sous, server)
    #expect(try sous("plugins", "install", "parcel", "--yes").status == 0)
    #expect(try sous("plugins", "update").output.contains("up to date"))
    try publish([old, new], sous, server)
    let asked = try sous("plugins", "update", "parcel")
    #expect(asked.status == 3 && asked.errors.contains("+ It reaches these hosts: api.example.com."), "\(asked.errors)")
    #expect(try lock(sous)?["version"] == "1.0.0")
    let updated = try sous("plugins", "update", "parcel", "--yes", "--json")
    #expect(updated.status == 0, "\(updated.errors)")
    #expect(try lock(sous)?["version"] == "1.1.0" && lock(sous)?["replacing"] == nil)
    // An index that offers an old version again is refused, also by name.
    try publish([old], sous, server)
    #expect(try sous("plugins", "update", "parcel", "--yes").output.contains("up to date"))
    let older = try sous("plugins", "install", "parcel", "--yes", "--json")
    #expect(try older.status == 3 && code(older) == "plugin_version_older")
    #expect(try lock(sous)?["version"] == "1.1.0")
    #expect(try sous("plugins", "install", "parcel@1.0.0", "--yes", "--allow-older").status == 0)
    #expect(try lock(sous)?["version"] == "1.0.0")
    let kept = try sous("plugins", "remove", "parcel")
    #expect(kept.status == 3 && kept.errors.contains("'mine'"))
    #expect(FileManager.default.fileExists(atPath: installed(sous)))
    #expect(try sous("plugins", "remove", "parcel", "--yes").status == 0)
    #expect(!FileManager.default.fileExists(atPath: installed(sous)))
    #expect(try lock(sous) == nil)
    // Nothing is left to ask about, although sous.yaml still names it.
    #expect(try sous("plugins", "remove", "parcel").status == 2)
  }

  /// Entries of an index that do not fit the file.
  @Test(arguments: [
    ("sha256", #""0000000000000000000000000000000000000000000000000000000000000000""#, "plugin_checksum_mismatch"),
    ("version", #""2.0.0""#, "plugin_differs_from_announcement"),
    ("id", #""other""#, "plugin_differs_from_announcement"),
    ("permissions", "{}", "plugin_differs_from_announcement"), ("url", #""gone.tar.gz""#, "plugin_download_failed"),
    ("url", #""http://192.0.2.1/x.tar.gz""#, "plugin_source_invalid"), ("sha256", "7", "plugin_index_invalid"),
    ("permissions", #"{"hosts": 1}"#, "plugin_index_invalid"), ("platform", #""linux-z80""#, "plugin_not_in_index"),
  ])
  func anIndexThatIsWrongInstallsNothing(member: String, value: String, code wanted: String) throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    try publish([try FixtureLibrary.parcel("1.0.0", members: hostMembers)], sous, server)
    var entry = try #require(try Value(json: bytes(sous.folder + "/index.json"))["plugins"]?[0]?.mapValue)
    entry[.string(member)] = try Value(json: value)
    server.put("/index.json", Value.map(["format": 1, "plugins": .list([.map(entry)])]).jsonString)
    let outcome = try sous("plugins", "install", member == "id" ? "other" : "parcel", "--yes", "--json")
    #expect(outcome.status != 0)
    #expect(try code(outcome) == wanted, "\(outcome.errors)")
    #expect(isUntouched(sous))
  }

  /// The fixture of `DetachedSignatureTests`, which minisign has made: what is signed is no plugin, which is found out later.
  @Test func aSignatureIsCheckedBeforeAnythingElse() throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    let key = "RWTV0iqR+E2yj3aq4dB36MQCD08WHYa4pd9/3NMMyuzV9wwWZD+3+hbM"
    let signature = """
      untrusted comment: signature from minisign secret key
      RUTV0iqR+E2yj36QKUI3jV+w5WlLnrDEiZTAwZnaIjJRRRkwKhHTYHCILZLuwDHBkz1jOHub/ZZCeWUDvVt1Qu32raXQ8jWH9wg=
      trusted comment: file:message version:1.2.0
      mO1zbYGg6K/LpZmS5/2Ed1W0RYYw/h8K2jPS1onnP9vUZjUxgtCkm8hMP1kJvjPvTYuNLVmqoCsoE1xTC+80AA==
      """
    func outcome(_ message: String, _ signature: String?) throws -> String? {
      server.put("/message", message)
      if let signature { server.put("/message.minisig", signature) }
      return try code(sous("plugins", "install", server.url + "/message", "--key", key, "--yes", "--json"))
    }
    #expect(try outcome("a plugin in a file\n", nil) == "plugin_signature_invalid")
    #expect(try outcome("a plugin in a file\n", signature) == "plugin_source_invalid")
    #expect(try outcome("another plugin", signature) == "plugin_signature_invalid")
    // The key of an index counts for all its plugins.
    try publish([try FixtureLibrary.parcel("1.0.0")], sous, server)
    try sous.write("sous.yaml", "plugins: { index: { url: \"\(server.url)/index.json\", key: \"\(key)\" } }\n")
    #expect(try code(sous("plugins", "install", "parcel", "--yes", "--json")) == "plugin_signature_invalid")
    #expect(isUntouched(sous))
  }

  @Test func httpToAnotherMachineAndRedirectsThereAreRefused() throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    #expect(
      try code(sous("plugins", "install", "http://192.0.2.1/libparcel.so", "--yes", "--json"))
        == "plugin_source_invalid")
    server.put("/libparcel.so", .redirect("http://192.0.2.1/libparcel.so"))
    #expect(
      try code(sous("plugins", "install", server.url + "/libparcel.so", "--yes", "--json")) == "plugin_download_failed")
    #expect(isUntouched(sous))
  }

  /// Before a folder is trusted, its lock must not lead to other machines.
  @Test func aLockOfAnUntrustedFolderLeadsToNoOtherMachine() throws {
    var (sous, server) = try start()
    defer { server.end(); sous.remove() }
    try publish([try FixtureLibrary.parcel("1.0.0")], sous, server)
    #expect(try sous("plugins", "install", "parcel", "--yes").status == 0)
    let lock = sous.folder + "/sous.lock"
    let foreign = try String(contentsOfFile: lock, encoding: .utf8)
      .replacing(server.url, with: "https://192.0.2.1")
    try sous.write("sous.lock", foreign)
    try FileManager.default.removeItem(atPath: installed(sous))
    sous.environment["SOUS_TRUST"] = nil
    for command in [["install"], ["update"], ["update", "parcel"]] {
      let outcome = try sous.run(SousProcess.executable, ["plugins"] + command + ["--yes", "--json"])
      #expect(outcome.status == 3 && outcome.errors.contains("sous trust"), "\(command): \(outcome.errors)")
    }
    let shown = try sous("trust")
    #expect((shown.output + shown.errors).contains("https://192.0.2.1"))
  }

  @Test func anInstallationThatIsKilledLeavesNothing() async throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    let library = try bytes(try FixtureLibrary.parcel("1.0.0"))
    server.put("/libparcel.so", .half(library))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["plugins", "install", server.url + "/libparcel.so", "--yes"]
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment
    try process.run()
    let folder = sous.folder + "/.local/share/sous/plugins"
    try await eventually {
      // The installation makes the folder.
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { name in
        guard name.hasPrefix(".staging-") else { return false }
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name + "/fetched")
        return (attributes?[.size] as? Int ?? 0) > 0
      }
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(!FileManager.default.fileExists(atPath: installed(sous)))
    server.put("/libparcel.so", library)
    #expect(try sous("plugins", "install", server.url + "/libparcel.so", "--yes").status == 0)
    // The next installation has removed what the first one left.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [".lock", "libparcel.so"])
  }

  @Test func twoInstallationsAtOnceDoNotMix() async throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    let libraries = try ["1.0.0", "1.1.0", "1.2.0"].map { try FixtureLibrary.parcel($0) }
    let statuses = await withTaskGroup(of: Int32.self) { group in
      for library in libraries {
        group.addTask { (try? sous("plugins", "install", library, "--yes", "--allow-older").status) ?? -1 }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [0, 0, 0])
    let verified = try sous("plugins", "verify", "--json")
    #expect(verified.status == 0, "\(verified.output)")
    #expect(try verified.json[0]?["state"] == "locked")
  }

  @Test func aFolderOfAnotherUserIsNotUsed() throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    let folder = sous.folder + "/.local/share/sous/plugins"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // As root, another owner; as a user, a folder without the right to write.
    if geteuid() == 0 { #expect(chown(folder, 4711, 4711) == 0) } else { #expect(chmod(folder, 0o500) == 0) }
    let outcome = try sous("plugins", "install", try FixtureLibrary.parcel("1.0.0"), "--yes", "--json")
    #expect(try outcome.status == 3 && code(outcome) == "plugin_file_unusable", "\(outcome.errors)")
    #expect(chmod(folder, 0o700) == 0)
  }

  @Test func aLibraryThatDoesNotLoadLeavesTheOldOne() throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    #expect(try sous("plugins", "install", try FixtureLibrary.parcel("1.0.0"), "--yes").status == 0)
    let before = try bytes(installed(sous))
    let broken = try sous.write("libparcel.so", "")
    try Data([0x7F, 0x45, 0x4C, 0x46] + [UInt8](repeating: 7, count: 1000)).write(to: URL(fileURLWithPath: broken))
    #expect(try code(sous("plugins", "install", "./libparcel.so", "--yes", "--json")) == "plugin_not_usable")
    #expect(try bytes(installed(sous)) == before)
    #expect(try sous("plugins", "verify").status == 0)
  }

  @Test func aFolderWithAMakefileIsBuilt() throws {
    let (sous, server) = try start()
    defer { server.end(); sous.remove() }
    try sous.write("source/Makefile", "all:\n\tmkdir -p build\n\tcp '\(try FixtureLibrary.parcel("1.0.0"))' build/\n")
    let asked = try sous("plugins", "install", "./source")
    #expect(asked.status == 3 && asked.errors.contains("make"))
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/source/build"))
    #expect(try sous("plugins", "install", "./source", "--yes").status == 0)
    #expect(try lock(sous)?["source"]?.stringValue?.hasSuffix("/source") == true)
    // The build is the user's: an update of all plugins leaves it out.
    let updated = try sous("plugins", "update", "--json")
    #expect(updated.status == 0, "\(updated.errors)")
    #expect(try updated.json[0]?["skipped"]?["code"] == "plugin_not_updatable")
    #expect(try code(sous("plugins", "update", "parcel", "--json")) == "plugin_not_updatable")
    try sous.write("source/Makefile", "all:\n\techo no such thing; exit 7\n")
    let failed = try sous("plugins", "install", "./source", "--yes", "--json")
    #expect(try code(failed) == "plugin_build_failed" && failed.errors.contains("no such thing"))
  }
}
