import Expressions

/// A stream of changes of runs and logs (`subscriptions/listen`).
struct Subscription {
  /// The most resources of a subscription.
  private static let most = 20

  private let call: AssistantCall
  private let operations: any AssistantOperations

  init(_ call: AssistantCall, _ operations: any AssistantOperations) {
    (self.call, self.operations) = (call, operations)
  }

  /// Reports changes until the client ends the call, or the server stops.
  func listen(_ channel: CallChannel) async throws -> ValueMap {
    guard let filter = call.params["notifications"]?.mapValue else {
      throw AssistantError.invalidParameters(
        "'notifications' must be an object", de: "'notifications' muss ein Objekt sein")
    }
    let meta: Value = [MetaKey.subscription: call.id.value]
    var watches: [ResourceWatch] = []
    for uri in filter["resourceSubscriptions"]?.listValue ?? [] where watches.count < Self.most {
      if let watch = await ResourceWatch(uri.stringValue ?? "", operations) { watches.append(watch) }
    }
    channel.notify(
      "notifications/subscriptions/acknowledged",
      [
        "_meta": meta,
        "notifications": watches.isEmpty ? [:] : ["resourceSubscriptions": .list(watches.map { .string($0.uri) })],
      ])
    for await _ in operations.changes() {
      for position in watches.indices where await watches[position].hasChanged() {
        channel.notify("notifications/resources/updated", ["_meta": meta, "uri": .string(watches[position].uri)])
      }
    }
    if channel.isWithdrawn { throw CancellationError() }
    return ["_meta": meta]
  }
}

/// Notices changes of a run or of its log.
struct ResourceWatch {
  /// The URI of the resource.
  let uri: String
  private let resource: AssistantResource
  private let operations: any AssistantOperations
  private var mark = ""
  private var line: Int64 = 0

  /// Begins with the resource as it is now; `nil` for one that does not exist, that the caller may not see, or that is a recipe.
  init?(_ uri: String, _ operations: any AssistantOperations) async {
    guard let resource = AssistantResource(uri: uri), operations.permits(resource.operation) else { return nil }
    if case .recipe = resource { return nil }
    (self.uri, self.resource, self.operations) = (uri, resource, operations)
    guard await look() != nil else { return nil }
  }

  /// Whether it has changed since the last look. One that cannot be read now is looked at later.
  mutating func hasChanged() async -> Bool { await look() ?? false }

  private mutating func look() async -> Bool? {
    do throws(AssistantError) {
      switch resource {
      case .recipe: return nil
      case .run(let run):
        let found = try await operations.summary(of: run).jsonString
        defer { mark = found }
        return found != mark
      case .log(let run):
        var isNew = false
        while true {
          let items =
            try await operations.perform(
              OperationCall("listLogs", path: ["run": run], query: ["limit": 500, "after": .int(line)]))["items"]?
            .listValue ?? []
          guard let last = items.last?["id"]?.intValue else { return isNew }
          (line, isNew) = (last, true)
        }
      }
    } catch {
      return nil
    }
  }
}
