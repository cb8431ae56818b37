import Expressions
import Foundation
import Synchronization
import Testing

/// The way of a newcomer: what `docs/plugins.md` says, done as it says it, in folders outside the repository.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: PluginWorkshop.hasTools, "needs swift, make and cc"))
struct PluginAuthoringTests {
  @Test func theSwiftPathOfTheDocumentWorks() throws {
    let folder = try PluginWorkshop.shared.get().swiftPlugin
    #expect(FileManager.default.fileExists(atPath: folder + "/.build/debug/libweather.so"))
    // Nothing was downloaded: no package but the two.
    let checkouts = try? FileManager.default.contentsOfDirectory(atPath: folder + "/.build/checkouts")
    #expect((checkouts ?? []).isEmpty)
  }

  @Test func theCPathOfTheDocumentWorks() throws {
    let workshop = try PluginWorkshop.shared.get()
    let outcomes = try workshop.follow(workshop.document.console(beginningWith: "sous plugins new counter"))
    #expect(outcomes.last?.output.contains("Hello, Ada!") == true)
    #expect(outcomes.contains { $0.output.contains("ok     greets by name") })
  }

  @Test func everySwiftSnippetOfTheDocumentCompilesAndRuns() throws {
    let workshop = try PluginWorkshop.shared.get()
    let folder = workshop.swiftPlugin
    let snippets = workshop.document.blocks("swift")
    try #require(snippets.count >= 13)
    var declarations = "import Foundation\nimport PluginKit\n"
    var tests = "import Foundation\nimport PluginKit\nimport PluginKitTesting\nimport Testing\n"
    tests += "@testable import WeatherPlugin\n"
    for (number, snippet) in snippets.enumerated() {
      let text = snippet.text
      if snippet.info.contains("export") {
        // The library exports its entry already; the same function under another name shows that it compiles.
        declarations += text.replacingOccurrences(of: "sous_plugin_entry_v1", with: "snippet_entry")
          .replacingOccurrences(of: "func entry", with: "func snippetEntry")
      } else if text.contains("#expect") {
        tests += "@Test func snippet\(number)() async throws {\n\(text)\n}\n"
      } else if text.contains("import PluginKit") || snippet.info.contains("declarations") {
        declarations += text.replacingOccurrences(of: "import PluginKit", with: "") + "\n"
      } else {
        declarations += "func snippet\(number)(_ context: ActionContext) async throws {\n\(text)\n}\n"
      }
    }
    try Data(declarations.utf8).write(to: URL(filePath: folder + "/Sources/WeatherPlugin/Snippets.swift"))
    try Data(tests.utf8).write(to: URL(filePath: folder + "/Tests/WeatherPluginTests/SnippetTests.swift"))
    defer {
      try? FileManager.default.removeItem(atPath: folder + "/Sources/WeatherPlugin/Snippets.swift")
      try? FileManager.default.removeItem(atPath: folder + "/Tests/WeatherPluginTests/SnippetTests.swift")
    }
    let outcome = try workshop.shell("swift test", in: folder)
    #expect(outcome.status == 0, "\(outcome.output.suffix(4000))\(outcome.errors.suffix(4000))")
  }

  @Test func everyCSnippetOfTheDocumentCompiles() throws {
    let workshop = try PluginWorkshop.shared.get()
    let snippets = workshop.document.blocks("c")
    try #require(!snippets.isEmpty)
    for (number, snippet) in snippets.enumerated() where !snippet.info.contains("chat") {
      try workshop.sous.write("snippet\(number).c", snippet.text)
      let include = SousProcess.repository + "/plugins/PluginKit/Sources/CPluginABI/include"
      let outcome = try workshop.shell(
        "cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I'\(include)' snippet\(number).c", in: workshop.sous.folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test func everyConfigurationOfTheDocumentIsValid() throws {
    let workshop = try PluginWorkshop.shared.get()
    if !FileManager.default.fileExists(atPath: workshop.sous.folder + "/counter/build/libcounter.so") {
      _ = try workshop.follow(workshop.document.console(beginningWith: "sous plugins new counter"))
    }
    for snippet in workshop.document.blocks("yaml") where snippet.info.contains("elsewhere") {
      // Of a plugin that is not here: nothing else may be wrong with it.
      try workshop.sous.write("elsewhere/sous.yaml", snippet.text)
      let outcome = try workshop.shell("sous validate sous.yaml", in: workshop.sous.folder + "/elsewhere")
      let wanted: Int32 = snippet.text.contains("providers:") ? 3 : 0
      #expect(outcome.status == wanted, "\(snippet.text)\n\(outcome.errors)")
    }
    for snippet in workshop.document.blocks("yaml")
    where !["elsewhere", "chat"].contains(snippet.info.dropFirst().first) {
      try workshop.sous.write("counter/snippet.yaml", snippet.text)
      let outcome = try workshop.shell(
        "sous validate hello.yaml --config snippet.yaml", in: workshop.sous.folder + "/counter")
      #expect(outcome.status == 0, "\(snippet.text)\n\(outcome.errors)")
    }
  }

  /// The whole plugin for `chat` of the document, with its configuration, its recipe and what that prints.
  @Test func theChatPluginOfTheDocumentAnswers() throws {
    let workshop = try PluginWorkshop.shared.get()
    _ = try workshop.follow(["sous plugins new parrot --language c"])
    let source = try #require(workshop.document.blocks("c").first { $0.info.contains("chat") })
    try workshop.sous.write("parrot/parrot.c", source.text)
    for block in workshop.document.blocks("yaml") where block.info.dropFirst().first == "chat" {
      try workshop.sous.write("parrot/\(block.info[2])", block.text)
    }
    let commands = workshop.document.console(beginningWith: "make").map { command in
      // Memory is what the checks of other plugins are about.
      command.hasPrefix("sous plugins check") ? command + " --calls 100" : command
    }
    let outcomes = try workshop.follow(["cd parrot"] + commands)
    #expect(outcomes.contains { $0.output.contains("parrot-1") })
    #expect(outcomes.last?.output.contains("\nZug\n") == true, "\(outcomes.last?.output ?? "")")
  }

  /// In place of the new plugin's own sources, since everything around them is built already.
  @Test func theWeatherExamplePassesItsTestsAndServesItsRecipe() throws {
    let workshop = try PluginWorkshop.shared.get()
    let folder = workshop.swiftPlugin
    let example = SousProcess.repository + "/examples/plugins/weather"
    for name in ["Sources", "Tests", "sous.yaml", "weather.yaml"] {
      try FileManager.default.removeItemIfThere(atPath: folder + "/" + name)
      try FileManager.default.copyItem(atPath: example + "/" + name, toPath: folder + "/" + name)
    }
    // The tests' build makes the library as well; memory is what the checks of other plugins are about.
    for command in ["swift test", "sous plugins check .build/debug/libweather.so --calls 100"] {
      let outcome = try workshop.shell(command, in: folder)
      #expect(outcome.status == 0, "\(command)\n\(outcome.output.suffix(4000))\(outcome.errors.suffix(4000))")
    }
    let valid = try workshop.shell("sous validate weather.yaml", in: folder)
    #expect(valid.status == 0, "\(valid.output)\(valid.errors)")
  }

  @Test func theCExamplePassesItsTestsAndServesItsRecipe() throws {
    let workshop = try PluginWorkshop.shared.get()
    let folder = workshop.sous.folder + "/textstats"
    try FileManager.default.removeItemIfThere(atPath: folder)
    try FileManager.default.copyItem(
      atPath: SousProcess.repository + "/examples/plugins/textstats", toPath: folder)
    try FileManager.default.removeItemIfThere(atPath: folder + "/build")
    let include = SousProcess.repository + "/plugins/PluginKit/Sources/CPluginABI/include"
    for command in ["make INCLUDE='\(include)' test", "sous plugins check build/libtextstats.so --calls 100"] {
      let outcome = try workshop.shell(command, in: folder)
      #expect(outcome.status == 0, "\(command)\n\(outcome.output.suffix(4000))\(outcome.errors.suffix(4000))")
    }
    let run = try workshop.shell("sous run count.yaml --json", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json["outputs"] == ["words": 4, "longest": "mitenand"])
  }
}

extension FileManager {
  fileprivate func removeItemIfThere(atPath path: String) throws {
    if fileExists(atPath: path) { try removeItem(atPath: path) }
  }
}
