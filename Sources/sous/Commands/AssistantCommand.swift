import ArgumentParser
import Builtins
import Glibc
import Localization
import OperatingSystem
import Server
import UseCases

/// `sous mcp`: the Model Context Protocol for assistants, over standard input and output.
struct AssistantCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "mcp",
      abstract: say(
        "Serve assistants: recipes as tools, runs as resources (Model Context Protocol).",
        de: "Rezepte als Werkzeuge und Läufe als Ressourcen für Assistenten anbieten (Model Context Protocol)."),
      discussion: say(
        "A program such as Claude Desktop or VS Code starts it and talks to it over standard input and output, with your rights. "
          + "'sous serve' answers the same at /mcp; see 'sous docs mcp'.",
        de:
          "Ein Programm wie Claude Desktop oder VS Code startet es und spricht mit ihm über Standardein- und -ausgabe, mit den "
          + "Rechten des Benutzers. 'sous serve' antwortet dasselbe unter /mcp; siehe 'sous docs mcp'."))
  }

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    LongLivedProcess.prepare(environment: workspace.surroundings.environment)
    // Other processes may be stopped in the middle of a transaction; a long-running process waits for them.
    try await workspace.withSession(patience: 600) { session in
      let assistant = try LocalAssistant(session, version: Version.current, language: Speech.language)
      try await Interruption.untilInterrupted {
        await assistant.serve(Self.input) { bytes in
          StandardOutput.write(String(decoding: bytes, as: UTF8.self))
        }
      }
    }
  }

  /// The bytes of standard input, read by a thread of its own, which waits for them.
  private static var input: AsyncStream<[UInt8]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    NamedThread.start("mcp-input") {
      while let bytes = try? Descriptor.read(from: STDIN_FILENO, upTo: 65_536), !bytes.isEmpty {
        continuation.yield(bytes)
      }
      continuation.finish()
    }
    return stream
  }
}
