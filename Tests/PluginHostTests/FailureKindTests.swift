import Engine
import Foundation
import RecipeModel
import Testing

/// The kinds of failures are listed at both ends of the ABI, in its header and for test files; these tests compare them.
@Suite struct FailureKindTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The text of the file of that name below a folder.
  private static func text(of name: String, below folder: String) throws -> String {
    let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    let file = try #require(files?.lazy.compactMap { $0 as? URL }.first { $0.lastPathComponent == name })
    return try String(contentsOf: file, encoding: .utf8)
  }

  private static func kinds(in text: String) -> Set<String> {
    Set(text.matches(of: /= Kind\(rawValue: "([a-z_]+)"\)/).map { String($0.1) })
  }

  /// The kinds that the header names.
  private static func header() throws -> (passing: Set<String>, lasting: Set<String>) {
    let text = try text(of: "sous_plugin.h", below: "plugins/PluginKit/Sources")
      .replacing(/\s+\*?\s*/, with: " ")
    let sentences = try #require(
      text.firstMatch(of: /Kinds that may pass by themselves: (.*?)\. Kinds that will not: ([a-z_ ]+)\./))
    let known = try kinds(in: Self.text(of: "ActionFailure.swift", below: "Sources"))
    func names(_ text: Substring) -> Set<String> {
      Set(text.split { !$0.isLetter && $0 != "_" }.map(String.init)).intersection(known)
    }
    return (names(sentences.1), names(sentences.2))
  }

  @Test func theHeaderAndThePluginKitListTheSameKinds() throws {
    let (passing, lasting) = try Self.header()
    let kit = try Self.kinds(in: Self.text(of: "ActionError.swift", below: "plugins/PluginKit/Sources"))
    // Only the host sees that a plugin crashed.
    #expect(kit.union(["crashed"]) == passing.union(lasting))
  }

  @Test func theEngineRepeatsTheKindsThatMayPass() throws {
    let (passing, lasting) = try Self.header()
    #expect(passing.count == 9)
    for kind in passing { #expect(ActionFailure.Kind(rawValue: kind).isTransient, "\(kind)") }
    for kind in lasting { #expect(!ActionFailure.Kind(rawValue: kind).isTransient, "\(kind)") }
  }

  @Test func testFilesCanNameEachKindOfAStep() throws {
    // `outputs` is the kind of a run.
    let known = try Self.kinds(in: Self.text(of: "ActionFailure.swift", below: "Sources"))
    #expect(Set(RecipeDefinitions.failureKinds) == known.subtracting(["outputs"]))
  }
}
