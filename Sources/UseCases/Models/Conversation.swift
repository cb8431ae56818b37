import Engine
public import Expressions
import Localization
import PluginHost
package import Providers
public import RunStore

/// A conversation with a model that goes on from what was said before.
public struct Conversation: Sendable {
  /// Its number; `nil` for one that has not begun, or is not kept.
  public private(set) var number: Int?
  /// Standing instructions.
  public private(set) var system: String
  private var turns: [ChatTurnRecord]
  private var isKept: Bool

  /// A new one.
  ///
  /// - Parameters:
  ///   - system: Standing instructions; empty for none.
  ///   - isKept: Whether it is kept in the run log.
  public init(system: String, isKept: Bool) {
    self.system = system
    self.isKept = isKept
    turns = []
  }

  /// One that was kept.
  ///
  /// - Parameters:
  ///   - number: Which; `nil` for the last one.
  ///   - store: Where it is kept.
  /// - Throws: ``UseCaseError``: `not_found` if it does not exist.
  public init(continuing number: Int?, in store: RunStore) async throws(UseCaseError) {
    let found = try await mapErrors {
      let last = try await store.chats(limit: 1).first?.number
      guard let wanted = number ?? last else { return (ChatRecord, [ChatTurnRecord])?.none }
      return try await store.chat(wanted)
    }
    guard let (chat, turns) = found else {
      throw .notFound(
        number.map {
          LocalizedText(
            "there is no conversation \($0); see 'sous chats'", de: "es gibt kein Gespräch \($0); siehe 'sous chats'")
        }
          ?? LocalizedText("there is no conversation to continue", de: "es gibt kein Gespräch, das weitergehen könnte"))
    }
    self.number = chat.number
    system = chat.system
    self.turns = turns
    isKept = true
  }

  /// Keeps nothing of what is said from now on.
  public mutating func stopKeeping() { isKept = false }

  /// The turns so far as `chat.complete` takes them.
  public var messages: Value {
    .list(turns.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] })
  }

  /// The last answer that a provider gave; `nil` before the first one.
  public var lastAnswer: ChatTurnRecord? { turns.last { $0.role == .assistant && !$0.provider.isEmpty } }

  /// Whether nothing has been said.
  public var isEmpty: Bool { turns.isEmpty }

  /// Takes a question and its answer in, and keeps them.
  ///
  /// - Throws: ``UseCaseError`` where they cannot be kept.
  public mutating func add(
    _ question: ChatTurnRecord, _ answer: ChatTurnRecord, in store: RunStore
  ) async throws(UseCaseError) {
    turns += [question, answer]
    guard isKept else { return }
    let (chat, system) = (number, system)
    number = try await mapErrors { try await store.keep([question, answer], in: chat, system: system) }
  }
}

extension Workspace {
  /// Opens the run log and the providers of a project, works, and closes both, whatever comes of it.
  package func counting<Answer>(
    _ project: Project, _ body: (ProviderChain) async throws -> Answer
  ) async throws(UseCaseError) -> Answer {
    try await recordingRunLog { store in
      let breakers = await project.breakers(store, probesAtOnce: false)
      let (open, providers) = project.connected(to: store, breakers, isTemporary: true)
      do {
        let answer = try await body(providers)
        _ = await open.host.shutdown()
        return answer
      } catch {
        _ = await open.host.shutdown()
        throw error
      }
    }
  }
}
