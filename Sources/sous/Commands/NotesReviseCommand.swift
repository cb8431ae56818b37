import ArgumentParser
import Expressions
import Glibc
import Localization
import Notes
import UseCases

/// `sous notes revise`
struct NotesReviseCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "revise",
      abstract: say(
        "Let a language model revise a note's text, look at the difference, and take it over.",
        de: "Den Text einer Notiz von einem Sprachmodell überarbeiten lassen, vergleichen und übernehmen."),
      discussion: say(
        "Accepted changes become the corrected text; the original is kept.",
        de: "Was übernommen wird, ist dann der korrigierte Text; das Original bleibt."))
  }

  @OptionGroup var named: NamedNote

  @Option(
    help: ArgumentHelp(
      say("The prompt of the catalog.", de: "Der Prompt aus dem Katalog."), valueName: "name"))
  var prompt = "notes/correction"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("Who revises (default: that of 'chat').", de: "Wer überarbeitet (Vorgabe: der von 'chat')."),
      valueName: "name"))
  var provider: String?

  @Flag(help: ArgumentHelp(say("Take it over without asking.", de: "Ohne Frage übernehmen.")))
  var accept = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: true)
    _ = foreground
    let (reference, prompt, provider) = (named.note, prompt, provider)
    try await workspace.withSession(probesAtOnce: true) { session in
      while true {
        let revision = try await Interruption.untilInterrupted {
          try await session.revise(reference, prompt: prompt, provider: provider)
        }
        let difference = revision.difference
        if format.json {
          let note = accept ? try await session.withNotes { try await $0.accept(revision) } : revision.note
          return writeJSON(try json(revision, note, workspace))
        }
        if difference.isEmpty { return write(say("nothing would change\n", de: "es ändert sich nichts\n")) }
        show(difference)
        switch accept ? .accept : ask() {
        case .accept:
          let note = try await session.withNotes { try await $0.accept(revision) }
          return write(say("note \(note.number) is revised\n", de: "Notiz \(note.number) ist überarbeitet\n"))
        case .again: continue
        case .discard: return write(say("discarded\n", de: "verworfen\n"))
        case nil:
          return write(
            say("nothing was taken over: --accept does\n", de: "nichts wurde übernommen: --accept übernimmt\n"))
        }
      }
    }
  }

  private enum Decision {
    case accept, discard, again
  }

  /// The decision at the terminal; `nil` if there is none.
  private func ask() -> Decision? {
    guard isatty(STDIN_FILENO) == 1, Terminal().isInteractive else { return nil }
    while true {
      write(say("[a]ccept, [d]iscard, a[g]ain? ", de: "[ü]bernehmen, [v]erwerfen, [n]och einmal? "))
      switch readLine()?.lowercased().first {
      case "a", "ü", "u", "y", "j": return .accept
      case "d", "v", nil: return .discard
      case "g", "n", "r": return .again
      default: continue
      }
    }
  }

  private func show(_ difference: WordDifference) {
    let terminal = Terminal()
    guard terminal.hasColor else { return writeVerbatim(difference.marked + "\n") }
    let text = difference.pieces.map { piece in
      switch piece {
      case .same(let text): text
      case .removed(let text): terminal.styled(text, .red)
      case .added(let text): terminal.styled(text, .green)
      }
    }.joined()
    write(text + "\n")
  }

  private func json(_ revision: NoteRevision, _ note: Note, _ workspace: Workspace) throws -> Value {
    let pieces: [Value] = revision.difference.pieces.map { piece in
      switch piece {
      case .same(let text): ["same": .string(text)]
      case .removed(let text): ["removed": .string(text)]
      case .added(let text): ["added": .string(text)]
      }
    }
    return [
      "note": try workspace.report().json(note), "original": .string(revision.original),
      "revised": .string(revision.revised), "difference": .list(pieces), "accepted": .bool(accept),
    ]
  }
}
