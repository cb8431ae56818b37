import Access
import Engine
import Expressions
import Foundation
public import Localization
import MCP
import RecipeModel
import Serve
public import UseCases

/// The Model Context Protocol over standard input and output (`sous mcp`): one client, with the rights of the user of the project.
///
/// Runs are worked on in this process. If it ends before them, they are interrupted, and the daemon or `sous resume` goes on.
public struct LocalAssistant: Sendable {
  /// The most bytes of a message.
  private static let limit = 4 << 20
  /// Seconds after the end of the input within which calls still get their answers.
  private static let patience = 1.0

  private let services: ServerServices
  private let operations: RouteOperations
  private let connection: AssistantConnection

  /// Prepares the assistant's side.
  ///
  /// - Parameters:
  ///   - session: The open workspace.
  ///   - version: The version of the program.
  ///   - language: The language of texts.
  /// - Throws: ``UseCaseError`` if memory is short.
  public init(_ session: Session, version: String, language: Language) throws(UseCaseError) {
    let changes = RunLogChanges()
    do throws(AccessError) {
      services = ServerServices(
        session: session, access: try .inMemory(), identity: nil, settings: ConfiguredServer(), tasks: RunTasks(),
        events: EventHub(session, changes: changes), changes: changes, metrics: ServerMetrics(),
        connections: ConnectionRegister(places: 1), version: version, worksHere: true)
    } catch {
      throw UseCaseError(error)
    }
    let actor = Actor.socket(user: NSUserName(), language: language)
    operations = RouteOperations(
      services: services, credential: .fixed(actor), actor: actor, language: language, address: "", origin: "")
    connection = AssistantConnection(
      Assistant(now: { Double(SystemTime().now.seconds) }),
      ProtocolSession(ServerFacts(version: version, language: language, pushes: true)))
  }

  /// Answers messages until the input ends or the task is cancelled.
  ///
  /// - Parameters:
  ///   - input: The bytes of the client, in pieces of any size; each line is a message.
  ///   - write: Writes the bytes of a message. It may block.
  public func serve(_ input: AsyncStream<[UInt8]>, write: @escaping @Sendable ([UInt8]) -> Void) async {
    let (lines, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let writer = Task { for await line in lines { write(line) } }
    let beats = Task { [services] in await services.changes.beat(with: QueueWatch(services.store)) }
    let sink = MessageSink(send: { continuation.yield($0.line) })
    var splitter = LineSplitter(limit: Self.limit)
    for await bytes in input { take(splitter.append(bytes), sink) }
    take(splitter.finish(), sink)
    if !Task.isCancelled { await connection.settle(seconds: Self.patience) }
    beats.cancel()
    await connection.end()
    await services.tasks.close()
    services.events.close()
    continuation.finish()
    await writer.value
    await beats.value
    services.access.close()
  }

  private func take(_ parts: [LineSplitter.Part], _ sink: MessageSink) {
    for part in parts {
      switch part {
      case .line(let bytes): connection.receive(IncomingMessage(bytes), operations, sink)
      case .tooLong:
        connection.receive(.invalid(nil, .tooLarge(limit: Self.limit)), operations, sink)
      }
    }
  }
}
