public import PluginKit

/// Bookmarks of a Readeck server (https://readeck.org), by its API.
public struct ReadeckPlugin: Plugin {
  /// What the plugin is.
  public static var manifest: Manifest {
    Manifest(
      id: "readeck", version: "1.0.0", summary: "Bookmarks of a Readeck server",
      summaryGerman: "Lesezeichen eines Readeck-Servers", configuration: ReadeckConfiguration.schema,
      hosts: ["{base_url}"], secrets: ["token"], files: [])
  }

  private static let defaultTimeout = 30.0
  /// Lists and articles may be this large, in bytes.
  private static let largestAnswer = 16 << 20
  /// Pictures may be this large, in bytes.
  private static let largestPicture = 20 << 20

  private let configuration: ReadeckConfiguration
  /// Without a slash at the end, with `/api`.
  private let url: String

  /// Reads the settings; touches no network.
  public init(configuration: ReadeckConfiguration, context: PluginContext) throws {
    self.configuration = configuration
    var url = configuration.baseURL
    while url.hasSuffix("/") { url.removeLast() }
    self.url = url.hasSuffix("/api") ? url : url + "/api"
  }

  /// What the plugin can do.
  public static var actions: ActionList<ReadeckPlugin> {
    Action(
      "readeck.list", effect: .read, summary: "Lists bookmarks", summaryGerman: "Listet Lesezeichen auf",
      input: ListInput.self, output: JSONValue.self, inputSchema: ListInput.schema, outputSchema: ReadeckOutputs.page
    ) { plugin, input, context in try await plugin.list(input, context) }
    Action(
      "readeck.get", effect: .read, summary: "Gives all that is known of a bookmark",
      summaryGerman: "Gibt alles, was von einem Lesezeichen bekannt ist", input: BookmarkInput.self,
      output: JSONValue.self, inputSchema: BookmarkInput.schema, outputSchema: ReadeckOutputs.bookmark
    ) { plugin, input, context in
      try await plugin.bookmark(plugin.send(plugin.request(try plugin.path(input.id)), context))
    }
    Action(
      "readeck.article", effect: .read, summary: "Gives the text of a bookmark",
      summaryGerman: "Gibt den Text eines Lesezeichens", input: BookmarkInput.self, output: JSONValue.self,
      inputSchema: BookmarkInput.schema, outputSchema: ReadeckOutputs.article
    ) { plugin, input, context in
      let answer = try await plugin.send(plugin.request(try plugin.path(input.id) + "/article"), context)
      return ["html": .string(try await answer.text(upTo: largestAnswer))]
    }
    Action(
      "readeck.picture", effect: .read, summary: "Fetches a picture of an article",
      summaryGerman: "Holt ein Bild eines Artikels", input: PictureInput.self, output: JSONValue.self,
      inputSchema: PictureInput.schema, outputSchema: ReadeckOutputs.picture
    ) { plugin, input, context in try await plugin.picture(input, context) }
    Action(
      "readeck.create", effect: .once, summary: "Keeps a page", summaryGerman: "Hebt eine Seite auf",
      input: CreateInput.self, output: JSONValue.self, inputSchema: CreateInput.schema,
      outputSchema: ReadeckOutputs.created
    ) { plugin, input, context in try await plugin.create(input, context) }
    .verifying { plugin, input, context in try await plugin.find(input, context) }
    Action(
      "readeck.update", effect: .idempotent, summary: "Changes marks, labels or the title of a bookmark",
      summaryGerman: "Ändert Markierungen, Labels oder den Titel eines Lesezeichens", input: UpdateInput.self,
      output: JSONValue.self, inputSchema: UpdateInput.schema, outputSchema: ReadeckOutputs.bookmark
    ) { plugin, input, context in try await plugin.update(input, context) }
    Action(
      "readeck.delete", effect: .idempotent, summary: "Deletes a bookmark", summaryGerman: "Löscht ein Lesezeichen",
      input: BookmarkInput.self, output: JSONValue.self, inputSchema: BookmarkInput.schema,
      outputSchema: ReadeckOutputs.nothing
    ) { plugin, input, context in try await plugin.delete(input, context) }
  }

  private func list(_ input: ListInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let query = input.query.map { HTTPRequest.escape($0.0) + "=" + HTTPRequest.escape($0.1) }.joined(separator: "&")
    let answer = try await send(try request("/bookmarks?" + query), context)
    let value: JSONValue = try await answer.json(upTo: Self.largestAnswer)
    guard let list = value.array else { throw Self.notReadeck }
    let bookmarks = list.filter { Self.isID($0["id"]?.string) }
    func number(_ name: String, _ other: Int) -> JSONValue {
      .integer(max(0, answer.headers[name].flatMap { Int64($0) } ?? Int64(other)))
    }
    return [
      "bookmarks": .array(bookmarks), "current_page": number("current-page", 1),
      "total_count": number("total-count", bookmarks.count), "total_pages": number("total-pages", 1),
    ]
  }

  private func picture(_ input: PictureInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let lowered = input.url.lowercased()
    guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else {
      throw ActionError(
        .invalidInput, "A picture has an http or https URL.", german: "Ein Bild hat eine http- oder https-URL.")
    }
    var request = HTTPRequest(url: input.url, headers: ["accept": "image/*"])
    // The token is the server's alone.
    if input.url.hasPrefix(url.dropLast("/api".count) + "/") {
      request.headers.add("authorization", "Bearer \(configuration.token)")
    }
    request.idleTimeout = timeout
    request.responseLimit = Self.largestPicture
    let answer = try await send(request, context)
    let type = answer.headers["content-type"]?.split(separator: ";").first.map(String.init) ?? ""
    guard type.lowercased().hasPrefix("image/") else {
      throw ActionError(.protocol, "What came is no picture.", german: "Was kam, ist kein Bild.")
    }
    let bytes = try await answer.body.collect(upTo: Self.largestPicture)
    let blob = try await context.blobs.write(bytes)
    return ["blob": .string(blob.name), "type": .string(type), "size": .integer(Int64(bytes.count))]
  }

  /// Changes a bookmark, and checks that the server shows the change.
  private func update(_ input: UpdateInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let path = try path(input.id)
    let answer = try await bookmark(send(try request(path, .patch, .object(input.body)), context))
    var unmet = Array(input.body).filter { !BookmarkChange($0.key, $0.value).isMade(in: answer, ifAbsent: false) }
    if !unmet.isEmpty {
      // The answer has the changed fields. If it has fewer, the bookmark is fetched.
      let shown = try await bookmark(send(try request(path), context))
      unmet = unmet.filter { !BookmarkChange($0.key, $0.value).isMade(in: shown, ifAbsent: true) }
    }
    guard let first = unmet.map(\.key).min() else { return answer }
    throw ActionError(
      .protocol, "The server answered with success, and '\(first)' of the bookmark \(input.id) has not changed.",
      german: "Der Server meldete Erfolg, '\(first)' des Lesezeichens \(input.id) hat sich aber nicht geändert.",
      advice: "Check the rights of the token.", adviceGerman: "Die Rechte des Tokens prüfen.")
  }

  private func delete(_ input: BookmarkInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let path = try path(input.id)
    do throws(ActionError) {
      let response = try await send(try request(path, .delete), context)
      // Readeck answers 204. A server that is not Readeck may answer with a page.
      guard response.status != 204 else { return [:] }
      let shown = try await bookmark(send(try request(path), context))
      guard shown["is_deleted"] == .bool(true) else { throw Self.notReadeck }
    } catch {
      // A bookmark that does not exist counts as deleted.
      guard error.kind == .notFound else { throw error }
    }
    return [:]
  }

  private func create(_ input: CreateInput, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    var body: JSONObject = ["url": .string(input.url)]
    if let title = input.title { body["title"] = .string(title) }
    if let labels = input.labels { body["labels"] = .array(labels.map { .string($0) }) }
    let request = try request("/bookmarks", .post, .object(body))
    let note = CreationNote(context)
    try await note.begin()
    let answer = try await send(request, context)
    guard let id = answer.headers["bookmark-id"], Self.isID(id) else { throw Self.notReadeck }
    await note.end()
    return ["id": .string(id)]
  }

  /// Looks for a page among the latest bookmarks: the server knows no keys of requests. That it is not found says nothing,
  /// as the server may have another URL for it.
  private func find(
    _ input: CreateInput, _ context: ActionContext
  ) async throws(ActionError) -> Verification<JSONValue> {
    let answer = try await send(try request("/bookmarks?sort=-created&limit=50"), context)
    let value: JSONValue = try await answer.json(upTo: Self.largestAnswer)
    guard let id = try await CreationNote(context).bookmark(of: input.url, in: value.array ?? []), Self.isID(id) else {
      return .unknown
    }
    return .done(["id": .string(id)])
  }

  // MARK: Requests

  /// The path of a bookmark.
  ///
  /// - Throws: `invalid_input` for what cannot be the name of one.
  private func path(_ id: String) throws(ActionError) -> String {
    guard Self.isID(id) else {
      throw ActionError(
        .invalidInput, "'\(id)' is no id of a bookmark.", german: "'\(id)' ist keine Kennung eines Lesezeichens.")
    }
    return "/bookmarks/" + id
  }

  /// Ids are letters and digits; what else comes could lead elsewhere, in URLs and in folders.
  static func isID(_ id: String?) -> Bool {
    guard let id, (1...64).contains(id.utf8.count) else { return false }
    return id.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
    }
  }

  private func request(
    _ path: String, _ method: HTTPMethod = .get, _ body: JSONValue? = nil
  ) throws(ActionError) -> HTTPRequest {
    let headers: HTTPHeaders = [
      "authorization": "Bearer \(configuration.token)", "accept": "application/json, text/html",
    ]
    var request: HTTPRequest
    if let body {
      request = try HTTPRequest.json(body, to: url + path, method: method, headers: headers)
    } else {
      request = HTTPRequest(method: method, url: url + path, headers: headers)
    }
    request.idleTimeout = timeout
    request.responseLimit = Self.largestAnswer
    return request
  }

  private var timeout: Duration {
    .milliseconds(Int64(min(max(configuration.timeout ?? Self.defaultTimeout, 1), 600) * 1000))
  }

  private func send(_ request: HTTPRequest, _ context: ActionContext) async throws(ActionError) -> HTTPResponse {
    let response = try await context.http.send(request)
    guard !response.isSuccess else { return response }
    let body = (try? await response.body.collect(upTo: 64 << 10)) ?? []
    let words = (try? JSONValue(json: body))?["message"]?.string
    throw ActionError(status: response.status, headers: response.headers, detail: words, now: context.clock)
  }

  private func bookmark(_ response: HTTPResponse) async throws(ActionError) -> JSONValue {
    let value: JSONValue = try await response.json(upTo: Self.largestAnswer)
    guard Self.isID(value["id"]?.string) else { throw Self.notReadeck }
    return value
  }

  private static var notReadeck: ActionError {
    ActionError(
      .protocol, "The answer is not that of Readeck.", german: "Die Antwort ist nicht die von Readeck.",
      advice: "Check that 'base_url' is that of a Readeck server.",
      adviceGerman: "Prüfen, ob 'base_url' die eines Readeck-Servers ist.")
  }
}
