import PluginKit

/// Which bookmarks are listed.
struct ListInput: Decodable, Sendable {
  var state: String?
  var limit: Int?
  var offset: Int?
  var search: String?
  var type: String?
  var label: String?

  static let states = ["unread", "archived", "marked", "all"]
  static let types = ["article", "photo", "video"]

  static let schema = JSONSchema.object(
    .optional(
      "state", .string("Default: unread, those that are neither archived nor favourites", values: states)),
    .optional("limit", .integer("At most so many; default: 20", minimum: 1, maximum: 100)),
    .optional("offset", .integer("How many are skipped", minimum: 0, maximum: 1_000_000)),
    .optional("search", .string("Words", minimumLength: 1)), .optional("type", .string(values: types)),
    .optional("label", .string("A label that they have", minimumLength: 1)))

  /// The query of `GET /bookmarks`.
  var query: [(String, String)] {
    var query: [(String, String)] = []
    switch state ?? "unread" {
    case "unread": query = [("is_archived", "false"), ("is_marked", "false")]
    case "archived": query = [("is_archived", "true")]
    case "marked": query = [("is_marked", "true")]
    default: break
    }
    query.append(("limit", String(limit ?? 20)))
    if let offset, offset > 0 { query.append(("offset", String(offset))) }
    if let search { query.append(("search", search)) }
    if let type { query.append(("type", type)) }
    if let label { query.append(("labels", label)) }
    return query
  }
}

/// A bookmark that something is done with.
struct BookmarkInput: Decodable, Sendable {
  var id: String

  static let schema = JSONSchema.object(.required("id", .string("The bookmark", minimumLength: 1)))
}

/// A picture that is fetched.
struct PictureInput: Decodable, Sendable {
  var url: String

  static let schema = JSONSchema.object(.required("url", .string("Where it is", minimumLength: 1)))
}

/// A page that is to be kept.
struct CreateInput: Codable, Sendable {
  var url: String
  var title: String?
  var labels: [String]?

  static let schema = JSONSchema.object(
    .required("url", .string("The page", minimumLength: 1)), .optional("title", .string()),
    .optional("labels", .array(of: .string(minimumLength: 1))))
}

/// What changes about a bookmark; what is absent stays.
struct UpdateInput: Decodable, Sendable {
  var id: String
  var title: String?
  var isMarked: Bool?
  var isArchived: Bool?
  var isDeleted: Bool?
  var readProgress: Int?
  var labels: [String]?
  var addLabels: [String]?
  var removeLabels: [String]?

  static let schema = JSONSchema.object(
    .required("id", .string("The bookmark", minimumLength: 1)), .optional("title", .string()),
    .optional("is_marked", .boolean("Whether it is a favourite")),
    .optional("is_archived", .boolean("Whether it is in the archive")),
    .optional("is_deleted", .boolean("Whether it is to be deleted soon; false takes that back")),
    .optional("read_progress", .integer("How much is read, in percent", minimum: 0, maximum: 100)),
    .optional("labels", .array(of: .string(minimumLength: 1), "All its labels")),
    .optional("add_labels", .array(of: .string(minimumLength: 1))),
    .optional("remove_labels", .array(of: .string(minimumLength: 1))))

  /// The body of `PATCH /bookmarks/ID`.
  var body: JSONObject {
    var body = JSONObject()
    if let title { body["title"] = .string(title) }
    if let isMarked { body["is_marked"] = .bool(isMarked) }
    if let isArchived { body["is_archived"] = .bool(isArchived) }
    if let isDeleted { body["is_deleted"] = .bool(isDeleted) }
    if let readProgress { body["read_progress"] = .integer(Int64(readProgress)) }
    for (name, labels) in [("labels", labels), ("add_labels", addLabels), ("remove_labels", removeLabels)] {
      if let labels { body[name] = .array(labels.map { .string($0) }) }
    }
    return body
  }
}

/// What actions give back.
enum ReadeckOutputs {
  static let bookmark = JSONSchema.object(
    .required("id", .string()), .optional("url", .string()), .optional("title", .string()), open: true)
  static let page = JSONSchema.object(
    .required("bookmarks", .array(of: bookmark)), .required("current_page", .integer(minimum: 0)),
    .required("total_count", .integer("How many there are with all pages", minimum: 0)),
    .required("total_pages", .integer(minimum: 0)))
  static let article = JSONSchema.object(.required("html", .string("The text of the article, a fragment of HTML")))
  static let picture = JSONSchema.object(
    .required("blob", .string("The picture")), .required("type", .string("Its media type")),
    .required("size", .integer("Its bytes", minimum: 0)))
  static let created = JSONSchema.object(.required("id", .string()))
  static let nothing = JSONSchema.object([])
}
