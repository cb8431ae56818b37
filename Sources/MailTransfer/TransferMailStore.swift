public import Engine
import Expressions
import Localization
import PluginHost
import Providers
import UseCases

/// A provider failed while messages passed.
public struct TransferFailure: Error, Sendable {
  /// The provider.
  public let provider: String
  /// What went wrong.
  public let failure: ActionFailure

  /// Whether the failure concerns one folder only, so that the others can be copied.
  var concernsFolder: Bool {
    TransferMailStore.failuresOfOne.contains(failure.kind) || [.auth, .server].contains(failure.kind)
  }
}

/// A provider of `mail.store`, asked for many messages at a time where its plugin can do that, else for one by one.
struct TransferMailStore: Sendable {
  /// How many messages one call is for.
  static let callSize = 1000
  /// How many bytes of messages one call is for (8 MiB). Several calls run at a time; their messages are in memory.
  static let callBytes = 8 << 20
  /// The largest blob, in bytes (1 GiB).
  private static let largestBlob: Int64 = 1 << 30
  /// How many messages are asked for at the same time where each takes a call.
  private static let width = 4
  private static let singleSize = 64
  private static let page = 1000

  let provider: String
  private let project: Project
  private let storage: TransferStorage
  private let actions: Set<String>

  init(_ project: Project, _ provider: String, _ storage: TransferStorage) async throws {
    (self.project, self.provider, self.storage) = (project, provider, storage)
    actions = Set(try await project.host.describe(provider).actions.map(\.name))
  }

  /// Its folders with their numbers of messages, and the server's text for each folder whose name cannot be read.
  func folders() async throws -> (known: [(name: String, total: Int)], unreadable: [String]) {
    let answer = try await call("mail.folders", [:])
    let known = (answer["folders"]?.listValue ?? []).compactMap { folder in
      folder["name"]?.stringValue.map { ($0, Int(clamping: folder["total"]?.intValue ?? 0)) }
    }
    return (known, (answer["unreadable"]?.listValue ?? []).compactMap(\.stringValue))
  }

  /// Makes a folder.
  func make(_ folder: String) async throws {
    _ = try await call("mail.folder", ["operation": "create", "folder": .string(folder)])
  }

  // MARK: Reading

  /// All messages of a folder.
  func list(_ folder: String) async throws -> [ListedMessage] {
    if actions.contains("mail.list") {
      return Self.messages(try await call("mail.list", ["folder": .string(folder)]))
    }
    var messages: [ListedMessage] = []
    var cursor: Value = .null
    repeat {
      var input: ValueMap = [
        "folder": .string(folder), "fields": ["flags", "labels", "received"], "order": "oldest",
        "limit": .int(Int64(Self.page)),
      ]
      if cursor != .null { input["cursor"] = cursor }
      let answer = try await call("mail.search", .map(input))
      messages += Self.messages(answer)
      cursor = answer["cursor"] ?? .null
    } while cursor != .null
    return messages
  }

  private static func messages(_ answer: Value) -> [ListedMessage] {
    (answer["messages"]?.listValue ?? []).compactMap { message in
      guard let uid = message["uid"]?.stringValue else { return nil }
      return ListedMessage(uid: uid, flags: flags(of: message), received: message["received"]?.stringValue)
    }
  }

  private static func flags(of message: Value) -> [String] {
    let names = (message["flags"]?.listValue ?? []) + (message["labels"]?.listValue ?? [])
    // Which messages are recent is the server's own business. A copy that is marked as deleted would go with the next
    // program that clears the folder up.
    return names.compactMap(\.stringValue).filter { $0 != "\\Recent" && $0 != "\\Deleted" }.sorted()
  }

  /// Takes whole messages, the first of those that are asked for.
  ///
  /// - Returns: The answer; it may cover only some of the messages.
  func take(_ messages: ArraySlice<ListedMessage>, from folder: String) async throws -> TakenMessages {
    guard actions.contains("mail.export") else { return try await takeSingly(messages, from: folder) }
    let some = messages.prefix(Self.callSize)
    let answer = try await call(
      "mail.export",
      [
        "folder": .string(folder), "uids": .list(some.map { .string($0.uid) }), "bytes": .int(Int64(Self.callBytes)),
      ])
    var taken: [TransferMessage] = []
    for message in answer["messages"]?.listValue ?? [] {
      guard let uid = message["uid"]?.stringValue, let blob = message["blob"]?.stringValue,
        let offset = message["offset"]?.intValue, let size = message["size"]?.intValue,
        (0...Self.largestBlob).contains(offset), (0...Self.largestBlob).contains(size)
      else { continue }
      taken.append(
        TransferMessage(
          uid: uid, blob: blob, offset: Int(clamping: offset), size: Int(clamping: size),
          flags: Self.flags(of: message),
          received: message["received"]?.stringValue))
    }
    let unreadable = (answer["unreadable"]?.listValue ?? []).compactMap { message in
      message["uid"]?.stringValue.map { uid in
        (uid: uid, reason: LocalizedText(of: message, "error") ?? LocalizedText(verbatim: ""))
      }
    }
    return TakenMessages(
      messages: taken, missing: (answer["missing"]?.listValue ?? []).compactMap(\.stringValue), unreadable: unreadable)
  }

  /// Failures that concern one message or folder; all others concern the account, the network or the disk.
  static let failuresOfOne: Set<ActionFailure.Kind> = [
    .invalidInput, .notFound, .unsupported, .protocol, .parse, .failed, .unsuitable,
  ]

  private func takeSingly(_ messages: ArraySlice<ListedMessage>, from folder: String) async throws -> TakenMessages {
    var taken = TakenMessages()
    try await inTurns(messages.prefix(Self.singleSize)) { message -> Result<TransferMessage, TransferFailure> in
      do {
        return .success(try await takeOne(message, from: folder))
      } catch let error as TransferFailure where Self.failuresOfOne.contains(error.failure.kind) {
        return .failure(error)
      }
    } _: { message, result in
      switch result {
      case .success(let passing): taken.messages.append(passing)
      case .failure(let error) where error.failure.kind == .notFound: taken.missing.append(message.uid)
      case .failure(let error): taken.unreadable.append((message.uid, error.failure.message))
      }
    }
    return taken
  }

  private func takeOne(_ message: ListedMessage, from folder: String) async throws -> TransferMessage {
    let raw = try await call("mail.raw", ["folder": .string(folder), "uid": .string(message.uid)])
    guard let blob = raw["blob"]?.stringValue, let size = raw["size"]?.intValue,
      (0...Self.largestBlob).contains(size)
    else {
      throw TransferFailure(
        provider: provider,
        failure: ActionFailure(
          .protocol,
          .init("'mail.raw' gave no message", de: "'mail.raw' hat keine Nachricht gegeben")))
    }
    return TransferMessage(
      uid: message.uid, blob: blob, offset: 0, size: Int(clamping: size), flags: message.flags,
      received: message.received)
  }

  // MARK: Writing

  /// Stores messages.
  ///
  /// - Parameter key: What makes the storing of one message the same effect a second time, with its uid behind it; counts
  ///   where each message takes a call.
  /// - Returns: What came of each, in their order.
  /// - Throws: What keeps the target from taking more; some may be stored all the same.
  func store(_ messages: [TransferMessage], in folder: String, key: String) async throws -> [TransferOutcome] {
    guard actions.contains("mail.import") else { return try await storeSingly(messages, in: folder, key: key) }
    let list = messages.map { message -> Value in
      var entry: ValueMap = [
        "blob": .string(message.blob), "offset": .int(Int64(message.offset)), "size": .int(Int64(message.size)),
        "flags": .list(message.flags.map { .string($0) }),
      ]
      if let received = message.received { entry["received"] = .string(received) }
      return .map(entry)
    }
    let answer = try await call("mail.import", ["folder": .string(folder), "messages": .list(list)])
    let outcomes = (answer["messages"]?.listValue ?? []).compactMap { result -> TransferOutcome? in
      // What says nothing of a message does not say that it is stored.
      guard result.mapValue != nil else { return nil }
      let reason = LocalizedText(of: result, "error")
      switch result["outcome"]?.stringValue {
      case "unknown": return .unknown(reason ?? LocalizedText(verbatim: ""))
      case "unsent": return .unsent
      default: return reason.map { .refused($0) } ?? .stored(uid: result["uid"]?.stringValue)
      }
    }
    guard outcomes.count == messages.count else {
      throw TransferFailure(
        provider: provider,
        failure: ActionFailure(
          .protocol,
          LocalizedText(
            "mail.import answered for \(outcomes.count) of \(messages.count) messages",
            de: "mail.import antwortete für \(outcomes.count) von \(messages.count) Nachrichten")))
    }
    return outcomes
  }

  private func storeSingly(
    _ messages: [TransferMessage], in folder: String, key: String
  ) async throws -> [TransferOutcome] {
    var outcomes: [TransferOutcome] = []
    try await inTurns(messages[...]) { message -> TransferOutcome in
      let blob = try storage.blob(of: message)
      defer { if blob != message.blob { storage.forget(blob: blob) } }
      var input: ValueMap = [
        "folder": .string(folder), "blob": .string(blob),
        "flags": .list(message.flags.map { .string($0) }),
      ]
      if let received = message.received { input["received"] = .string(received) }
      do {
        let stored = try await call("mail.append", .map(input), key: key + message.uid)
        return TransferOutcome.stored(uid: stored["uid"]?.stringValue)
      } catch let error as TransferFailure where [.unsupported, .invalidInput].contains(error.failure.kind) {
        return .refused(error.failure.message)
      }
    } _: { _, outcome in
      outcomes.append(outcome)
    }
    return outcomes
  }

  /// Changes flags of messages.
  ///
  /// - Returns: Those that are not there any more, where the plugin says it; others fail with `not_found`.
  func flag(
    _ uids: [String], in folder: String, adding: [String], removing: [String]
  ) async throws -> Set<String> {
    let answer = try await call(
      "mail.flag",
      [
        "folder": .string(folder), "uids": .list(uids.map { .string($0) }),
        "add": .list(adding.map { .string($0) }), "remove": .list(removing.map { .string($0) }),
      ])
    return Set((answer["missing"]?.listValue ?? []).compactMap(\.stringValue))
  }

  // MARK: Calls

  /// Does something with each element, some at a time, and takes the results in order.
  private func inTurns<Element: Sendable, Result: Sendable>(
    _ elements: ArraySlice<Element>, _ body: @escaping @Sendable (Element) async throws -> Result,
    _ take: (Element, Result) -> Void
  ) async throws {
    for start in stride(from: elements.startIndex, to: elements.endIndex, by: Self.width) {
      let some = elements[start..<min(start + Self.width, elements.endIndex)]
      let results = try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        for (place, element) in zip(some.indices, some) { group.addTask { (place, try await body(element)) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for (place, result) in results.sorted(by: { $0.0 < $1.0 }) { take(elements[place], result) }
    }
  }

  private func call(_ action: String, _ input: Value, key: String? = nil) async throws -> Value {
    do throws(ActionFailure) {
      return try await project.call(action, input, by: provider, key: key, reporter: SilentReporter())
    } catch {
      throw TransferFailure(provider: provider, failure: error)
    }
  }
}
