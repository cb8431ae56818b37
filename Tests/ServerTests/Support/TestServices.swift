import Access
import Engine
import Expressions
import Localization
import RecipeModel
import Serve
import UseCases

@testable import Server

extension TestServer {
  /// The services of another process of the server: nothing is in its memory yet, and the files are the same.
  func services() -> ServerServices {
    let changes = RunLogChanges()
    return ServerServices(
      session: session, access: access, identity: nil, settings: ConfiguredServer(), tasks: RunTasks(),
      events: EventHub(session, changes: changes), changes: changes, metrics: ServerMetrics(),
      connections: ConnectionRegister(places: 1), version: "0.0.1")
  }
}

extension APIRequest {
  /// A request of the user of the machine.
  init(_ services: ServerServices, body: Value = .null) {
    self.init(
      services: services, actor: .socket(user: "ada"), credential: nil, language: .english, address: "", origin: "")
    if body != .null { self.body = body }
  }
}
