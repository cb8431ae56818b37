import Foundation
import Localization
import Plans
import RecipeSyntax
import Sieve
import Testing

/// What filters and scripts that were translated do, compared with Pigeonhole, which nobody here wrote.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: Pigeonhole.program != nil, "sieve-filter is not installed (Debian: dovecot-sieve)"))
struct PigeonholeTests {
  private static let options = SieveImport.Options(name: "mail", addresses: [SampleMessages.owner])
  static let scripts: [String] = {
    let folder =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
      + "/Fixtures/sieve"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".sieve") }.sorted().map { "\(folder)/\($0)" }
  }()

  private func script(_ path: String) throws -> SourceText {
    try SourceText.read(path, limit: SieveImport.limit)
  }

  @Test func importedScriptsDecideAsPigeonholeDoes() async throws {
    #expect(Self.scripts.count >= 30)
    let peer = try Pigeonhole(SampleMessages.all)
    defer { peer.remove() }
    var compared = 0
    for path in Self.scripts {
      let source = try script(path)
      let imported = SieveImport(source, Self.options)
      #expect(imported.isComplete, "\(path): \(imported.diagnostics.map(\.message.english))")
      let recipe = try #require(imported.recipe)
      let ours = try await FilterRun(recipe).outcomes(SampleMessages.all)
      let theirs = try peer.outcomes(source.text)
      #expect(Set(theirs).count > 1, "\(path) tells no messages apart")
      for (number, (our, their)) in zip(ours, theirs).enumerated() {
        #expect(our == their, "\(path), message \(number)\n\(recipe)")
        compared += 1
      }
    }
    #expect(compared == Self.scripts.count * SampleMessages.all.count)
  }

  @Test func exportedFiltersDecideAsTheScriptsTheyCameFrom() throws {
    let peer = try Pigeonhole(SampleMessages.all)
    defer { peer.remove() }
    var exported = 0
    for path in Self.scripts {
      let source = try script(path)
      let recipe = try #require(SieveImport(source, Self.options).recipe)
      let export = SieveExport(SourceText(path: "mail.yaml", text: recipe))
      guard export.isComplete, let text = export.script else { continue }
      exported += 1
      // A filter deletes into the trash.
      let theirs = try peer.outcomes(text).map { outcome in
        var outcome = outcome
        outcome.folders["Trash"] = nil
        return outcome
      }
      #expect(theirs == (try peer.outcomes(source.text)), "\(path)\n\(text)")
    }
    #expect(exported >= 25)
  }

  @Test func messagesOfOthersAreSortedAsPigeonholeDoes() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../../shared/data/mail"
    guard let files = FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }), !files.isEmpty
    else {
      print("skipped: there is no ../shared/data/mail")
      return
    }
    let messages = try files.filter { $0.hasSuffix(".eml") }.sorted().map {
      Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")))
    }
    let peer = try Pigeonhole(messages)
    defer { peer.remove() }
    // Bodies are read differently, and a '?' before a '*' is more to Pigeonhole than one octet.
    for path in Self.scripts where !path.contains("19-body") && !path.contains("12-matches") {
      let source = try script(path)
      let recipe = try #require(SieveImport(source, Self.options).recipe)
      let ours = try await FilterRun(recipe).outcomes(messages)
      #expect(ours == (try peer.outcomes(source.text)), "\(path)")
    }
  }
}
