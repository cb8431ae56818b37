import Expressions
import FixturePlugins
import Foundation
import Testing

/// Archives that `tar`, `gzip` and `xz` make, and hostile ones.
@Suite(.timeLimit(.minutes(10))) struct PluginArchiveTests {
  private let manifest = #"""
    {"id": "parcel", "version": "1.0.0", "summary": "Answers",
     "actions": [{"name": "parcel.version", "summary": "x", "effect": "pure"}]}
    """#

  private func prepare() throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", "")
    try sous.write("tree/parcel-1.0.0/manifest.json", manifest)
    try sous.write("tree/parcel-1.0.0/README.md", "read me")
    try FileManager.default.copyItem(
      atPath: try FixtureLibrary.parcel("1.0.0"), toPath: sous.folder + "/tree/parcel-1.0.0/libparcel.so")
    return sous
  }

  /// Runs a shell command in the folder `tree`.
  private func shell(_ sous: SousProcess, _ command: String) throws {
    let outcome = try sous.run("/bin/sh", ["-c", "cd tree && " + command])
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
  }

  private func code(_ outcome: SousProcess.Outcome) throws -> String? {
    try Value(json: Array(outcome.errors.split(separator: "\n").last.map(String.init)?.utf8 ?? "".utf8))["error"]?[
      "code"]?
      .stringValue
  }

  @Test(arguments: ["tar -cJf ../x.tar.xz *", "tar -czf ../x.tar.xz *", "tar --format=pax -cJf ../x.tar.xz *"])
  func archivesOfTarAreInstalled(command: String) throws {
    let sous = try prepare()
    defer { sous.remove() }
    try shell(sous, command)
    let outcome = try sous("plugins", "install", "./x.tar.xz", "--yes", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["id"] == "parcel")
    #expect(try sous("plugins", "verify").status == 0)
  }

  @Test(arguments: [
    "touch ../evil && tar -P -czf ../x.tar.gz ../evil parcel-1.0.0",
    "tar -P -czf ../x.tar.gz /etc/hostname parcel-1.0.0",
    "ln -s /etc/passwd parcel-1.0.0/link && tar -czf ../x.tar.gz *",
    "rm parcel-1.0.0/libparcel.so && ln -s /bin/true parcel-1.0.0/libparcel.so && tar -czf ../x.tar.gz *",
    "ln parcel-1.0.0/README.md parcel-1.0.0/hard && tar -czf ../x.tar.gz *",
    "mkfifo parcel-1.0.0/pipe && tar -czf ../x.tar.gz *",
    "truncate -s 10G parcel-1.0.0/hole && tar -S -czf ../x.tar.gz *",
    // 600 MiB of zeros take 600 KiB in an archive.
    "truncate -s 600M parcel-1.0.0/hole && tar -c * | gzip -1 > ../x.tar.gz",
    "mkdir b && cp parcel-1.0.0/manifest.json b && tar -czf ../x.tar.gz *",
    "mkdir b && cp parcel-1.0.0/libparcel.so b && tar -czf ../x.tar.gz *",
    "mkdir b && cp parcel-1.0.0/libparcel.so b/libother.so && tar -czf ../x.tar.gz *",
    "rm parcel-1.0.0/manifest.json && tar -czf ../x.tar.gz *", "rm parcel-1.0.0/libparcel.so && tar -czf ../x.tar.gz *",
    "echo '{' > parcel-1.0.0/manifest.json && tar -czf ../x.tar.gz *",
    "tar -czf ../y.tar.gz * && head -c 700 ../y.tar.gz > ../x.tar.gz", "tar -c * | head -c 3000 | gzip > ../x.tar.gz",
    "head -c 100000 /dev/urandom | gzip > ../x.tar.gz", "printf '\\037\\213' > ../x.tar.gz",
  ])
  func hostileArchivesInstallNothing(command: String) throws {
    let sous = try prepare()
    defer { sous.remove() }
    try shell(sous, command)
    let outcome = try sous("plugins", "install", "./x.tar.gz", "--yes", "--json")
    #expect(outcome.status == 3)
    #expect(try code(outcome) == "plugin_archive_invalid", "\(outcome.errors)")
    let folder = sous.folder + "/.local/share/sous/plugins"
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != ".lock" } == [])
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/sous.lock"))
  }

  @Test func aLibraryThatAsksForMoreThanItsManifestIsRefused() throws {
    let sous = try prepare()
    defer { sous.remove() }
    let greedy = try FixtureLibrary.parcel("1.0.0", members: #""hosts": ["*"], "#)
    try shell(sous, "cp '\(greedy)' parcel-1.0.0/libparcel.so && tar -czf ../x.tar.gz *")
    #expect(
      try code(sous("plugins", "install", "./x.tar.gz", "--yes", "--json")) == "plugin_differs_from_announcement")
  }
}
