import Access
import Engine
import Foundation
import Glibc
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Localization
import Logging
import NIOCore
import NIOPosix
import Networking
import RecipeModel
import RecordJSON
public import Serve
import ServiceLifecycle
import Synchronization
public import UseCases

/// The HTTP side of `sous serve`: webhooks, and with `server` in sous.yaml the API.
public final class HTTPSide: HTTPFront {
  /// The version of the program.
  private let version: String
  /// Seconds between two looks at the rights of a caller whose answer goes on.
  private let rightsInterval: Double
  /// The counters, which go on when the configuration is read anew.
  private let metrics = ServerMetrics()
  /// The sign-ins that browsers have begun, which go on too.
  private let signIns = PendingSignIns()
  /// Syncs of recipes, for the audit log.
  private let syncs = SyncAudit()
  /// The followers of runs while it listens.
  private let hub = Mutex<EventHub?>(nil)

  /// Creates the HTTP side.
  ///
  /// - Parameters:
  ///   - version: The version of the program.
  ///   - rightsInterval: Seconds between two looks at the rights of a caller whose answer goes on: so long a stream outlives the
  ///     removal of its token. `nil` for the usual 5.
  public init(version: String, rightsInterval: Double? = nil) {
    (self.version, self.rightsInterval) = (version, rightsInterval ?? ServerServices.standardRightsInterval)
  }

  /// Takes what happens in the workspace, so that followers of a run see answers as they are made. Returns at once.
  public func observe(_ event: WorkspaceEvent) {
    switch event {
    case .run(let run, let event):
      hub.withLock({ $0 })?.observe(run, event)
      metrics.observe(run, event)
    case .work(.ended(let result, let start)): metrics.count(result, start)
    case .serve(.synced(let report)): syncs.add(report)
    case .serve(.pushedTraces(let count)): metrics.countTraces(pushed: count)
    case .serve(.tracesFail(_, let refused)): metrics.countTraces(refused: refused)
    default: break
    }
  }

  /// Listens from now on.
  ///
  /// - Throws: ``UseCaseError`` if the address cannot be used, or a certificate cannot be read.
  public func open(_ daemon: Daemon) async throws -> any OpenFront {
    let configuration = daemon.session.project.configuration
    let settings = configuration.server ?? ConfiguredServer()
    let register = ConnectionRegister(places: ConnectionRegister.standardPlaces)
    var services: ServerServices?
    if configuration.server != nil {
      let project = daemon.session.project
      let access = try AccessStore.opened(
        project.workspace.access, limits: AccessLimits(sessionIdle: settings.idle, sessionAge: settings.longest))
      services = ServerServices(
        session: daemon.session, access: access,
        identity: settings.identity.map { IdentitySignIn($0, project, access: access, pending: signIns) },
        settings: settings, tasks: RunTasks(), events: EventHub(daemon.session, changes: daemon.changes),
        changes: daemon.changes, metrics: metrics, connections: register, version: version,
        rightsInterval: rightsInterval)
    }
    if let access = services?.access {
      _ = try? access.note(
        settings: configuration.audited, of: configuration.auditedName, by: AuditSource(actor: "", origin: "file"),
        now: SystemTime().now)
      syncs.begin(access)
    }
    hub.withLock { $0 = services?.events }
    let assistants = services.map { AssistantResponder($0) }
    let responder = ServerResponder(
      webhooks: daemon.webhooks, services: services, api: services.map { APIResponder($0) }, assistants: assistants,
      settings: settings, address: configuration.listen)
    let server = try ListeningServer(configuration.listen, settings, responder, register, Self.group)
    try await server.start()
    return OpenHTTPSide(server: server, services: services, syncs: syncs, assistants: assistants)
  }

  /// The thread of all connections: it moves bytes, requests are answered on others. It lives as long as the process, as a
  /// connection may outlast the server by a moment.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
}

/// The HTTP side while it listens.
private struct OpenHTTPSide: OpenFront {
  let server: ListeningServer
  let services: ServerServices?
  let syncs: SyncAudit
  let assistants: AssistantResponder?

  /// Ends it: streams of followers end, requests under way get their answers.
  func close() async {
    services?.events.close()
    syncs.end()
    await services?.answers.close()
    await assistants?.close()
    await server.stop()
    await services?.tasks.close()
    services?.access.close()
  }
}

/// A Hummingbird application with the limits of Sous.
private final class ListeningServer: Sendable {
  /// Seconds that requests under way get when the server stops.
  private static let patience = 10
  /// Seconds within which the head of a request must arrive.
  private static let headTime = 10.0
  /// Seconds without a request after which a connection is closed.
  private static let idleTime = 75

  private let application: Application<ServerResponder>
  private let services: ServiceGroup
  private let started: AsyncThrowingStream<Void, any Error>
  private let signal: AsyncThrowingStream<Void, any Error>.Continuation
  private let address: ListenAddress

  init(
    _ address: ListenAddress, _ settings: ConfiguredServer, _ responder: ServerResponder,
    _ register: ConnectionRegister,
    _ group: MultiThreadedEventLoopGroup
  ) throws {
    self.address = address
    (started, signal) = AsyncThrowingStream.makeStream(of: Void.self)
    let whole = settings.limits.time
    let channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [register.deadlineHandler(head: Self.headTime, whole: whole)],
      idleTimeout: .seconds(Int64(Self.idleTime)),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 32 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 200))
    let builder: HTTPServerBuilder
    if let tls = settings.tls {
      builder = try .http2Upgrade(
        tlsConfiguration: try TLSFiles.configuration(tls),
        configuration: .init(
          idleTimeout: .seconds(Self.idleTime), gracefulCloseTimeout: .seconds(Self.patience),
          streamConfiguration: channel))
    } else {
      builder = .http1(configuration: channel)
    }
    let signal = signal
    let bind: BindAddress =
      address.socket.map { .unixDomainSocket(path: $0) } ?? .hostname(address.host, port: address.port)
    application = Application(
      responder: responder, server: builder, configuration: .init(address: bind, serverName: nil, backlog: 512),
      onServerRunning: { channel in
        try? await channel.eventLoop.submit {
          channel.closeOnExec()
          try channel.pipeline.syncOperations.addHandler(register.acceptHandler(), position: .first)
        }.get()
        // A proxy is another user, of the group of the daemon.
        if let path = address.socket { chmod(path, settings.isSocketOfProxy ? 0o660 : 0o600) }
        signal.yield()
      },
      eventLoopGroupProvider: .shared(group), logger: Logger(label: "sous.http") { _ in SwiftLogNoOpLogHandler() })
    var configuration = ServiceGroupConfiguration(
      services: [.init(service: application)], logger: Logger(label: "sous.http") { _ in SwiftLogNoOpLogHandler() })
    configuration.maximumGracefulShutdownDuration = .seconds(Self.patience)
    services = ServiceGroup(configuration: configuration)
  }

  /// Starts it; returns once it listens.
  func start() async throws {
    Task { [services, signal] in
      do {
        try await services.run()
        signal.finish()
      } catch {
        signal.finish(throwing: error)
      }
    }
    do {
      for try await _ in started { return }
    } catch {
      throw Self.unusable(address, error)
    }
    throw CancellationError()
  }

  /// Accepts nothing more and waits for the answers that are under way.
  func stop() async {
    await services.triggerGracefulShutdown()
    // The rest of the stream: the end of the server.
    do { for try await _ in started {} } catch { return }
  }

  private static func unusable(_ address: ListenAddress, _ error: any Error) -> UseCaseError {
    let isTaken = (error as? IOError)?.errnoCode == EADDRINUSE
    let reason =
      isTaken
      ? LocalizedText("another process listens there already", de: "ein anderer Prozess verwendet sie schon")
      : LocalizedText(verbatim: "\(error)")
    return UseCaseError(
      .environment,
      LocalizedText("cannot listen at \(address): ", de: "die Adresse \(address) lässt sich nicht öffnen: ") + reason)
  }
}
