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
      var (visible, lost): ([ResourceWatch], AssistantError?) = ([], nil)
      for var watch in watches {
        do throws(AssistantError) {
          if try await watch.hasChanged() {
            channel.notify("notifications/resources/updated", ["_meta": meta, "uri": .string(watch.uri)])
          }
          visible.append(watch)
        } catch {
          lost = error
        }
      }
      watches = visible
      // A subscription to nothing would never end by itself.
      if let lost, visible.isEmpty { throw lost }
    }
    if channel.isWithdrawn || channel.refusal != nil { throw CancellationError() }
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
    do throws(AssistantError) { _ = try await look() } catch { return nil }
  }

  /// Whether it has changed since the last look. One that cannot be read now is looked at later.
  ///
  /// - Throws: ``AssistantError`` with status 401, 403 or 404 if the caller may not see it any more.
  mutating func hasChanged() async throws(AssistantError) -> Bool {
    do throws(AssistantError) {
      return try await look()
    } catch {
      guard [401, 403, 404].contains(error.number) else { return false }
      throw error
    }
  }

  private mutating func look() async throws(AssistantError) -> Bool {
    switch resource {
    case .recipe: return false
    case .run(let run):
      let found = try await operations.summary(of: run).jsonString
      defer { mark = found }
      return found != mark
    case .log(let run):
      let items =
        try await operations.perform(OperationCall("listLogs", path: ["run": run], query: ["last": 1]))["items"]?
        .listValue ?? []
      let found = items.last?["id"]?.intValue ?? 0
      defer { line = found }
      return found != line
    }
  }
}
