import Expressions
import Hashing

/// What the files of a catalog have no place for and an export has to bring back: `exchange.json`.
///
/// For each imported object it has the fields that an export would write otherwise: what they were (`is`), and what the export
/// would have written then (`made`). A field that has been changed since is the file's.
struct ExchangeRecord {
  /// What stands beside the arrays.
  private var rest = ValueMap()
  /// The ids of each array in their order.
  private var order: [String: [String]] = [:]
  private var fields: [String: ValueMap] = [:]
  /// The hash of what was imported, which tells whether it has changed.
  private var hash = ""

  init() {}

  /// Compares what was read with what its files give.
  init(_ content: Exchange.Content, _ made: [Exchange.Section: [ValueMap]], before: ExchangeRecord) {
    self = before
    for (key, value) in content.rest.entries { rest[key] = value }
    for section in Exchange.Section.allCases {
      let byID = Dictionary((made[section] ?? []).map { (Self.id($0), $0) }) { first, _ in first }
      order[section.rawValue, default: []] += content[section].map(\.id)
      for object in content[section] {
        guard let own = byID[object.id], let difference = Self.difference(object.fields, own) else { continue }
        fields[section.rawValue, default: ValueMap()][object.id] = .map(difference)
      }
    }
  }

  private static func id(_ object: ValueMap) -> String { object["id"]?.stringValue?.uppercased() ?? "" }

  private static func difference(_ was: ValueMap, _ made: ValueMap) -> ValueMap? {
    var given = ValueMap()
    var own = ValueMap()
    var absent: [Value] = []
    for (key, value) in was.entries where made[key] != value {
      given[key] = value
      if let value = made[key] { own[key] = value }
    }
    for (key, value) in made.entries where was[key] == nil {
      absent.append(.string(key.text))
      own[key] = value
    }
    guard !given.isEmpty || !absent.isEmpty else { return nil }
    return ["is": .map(given), "made": .map(own), "absent": .list(absent)]
  }

  private static func restored(_ object: ValueMap, _ difference: Value?) -> ValueMap {
    guard let difference = difference?.mapValue else { return object }
    var result = object
    let made = difference["made"]?.mapValue ?? ValueMap()
    for (key, value) in (difference["is"]?.mapValue ?? ValueMap()).entries where object[key] == made[key] {
      result[key] = value
    }
    for key in (difference["absent"]?.listValue ?? []).compactMap(\.stringValue) where object[key] == made[key] {
      result[key] = nil
    }
    return result
  }

  /// The whole JSON form.
  ///
  /// - Parameters:
  ///   - made: What the files give.
  ///   - now: The moment, in ISO 8601; where nothing has changed since an import, that one's moment is kept.
  func export(_ made: [Exchange.Section: [ValueMap]], now: String) -> Value {
    var result = ValueMap()
    result["version"] = 1
    for section in Exchange.Section.allCases {
      let places = Dictionary((order[section.rawValue] ?? []).enumerated().map { ($1, $0) }) { first, _ in first }
      let objects = (made[section] ?? []).enumerated().map { (places[Self.id($1)] ?? places.count + $0, $1) }
        .sorted { $0.0 < $1.0 }
      result[section.rawValue] = .list(
        objects.map { .map(Self.restored($0.1, fields[section.rawValue]?[Self.id($0.1)])) })
    }
    let isSame = !hash.isEmpty && Self.hash(result) == hash
    result["exportDate"] = .string(now)
    for (key, value) in rest.entries where isSame || key.text != "exportDate" { result[key] = value }
    if isSame, rest["exportDate"] == nil { result["exportDate"] = nil }
    if isSame, rest["version"] == nil { result["version"] = nil }
    return .map(result)
  }

  /// Notes what is there now as unchanged.
  mutating func settle(_ made: [Exchange.Section: [ValueMap]]) {
    hash = ""
    guard case .map(var result) = export(made, now: "") else { return }
    for key in result.keys where Exchange.Section(rawValue: key.text) == nil && key.text != "version" {
      result[key] = nil
    }
    result["version"] = 1
    hash = Self.hash(result)
  }

  private static func hash(_ map: ValueMap) -> String {
    var sections = ValueMap()
    for section in Exchange.Section.allCases { sections[section.rawValue] = map[section.rawValue] }
    return ContentHash.hexadecimal(of: Value.map(sections).json())
  }

  // MARK: The file

  init(_ json: Value) {
    rest = json["rest"]?.mapValue ?? ValueMap()
    hash = json["hash"]?.stringValue ?? ""
    for section in Exchange.Section.allCases {
      order[section.rawValue] = (json["order"]?[section.rawValue]?.listValue ?? []).compactMap(\.stringValue)
      if let map = json["fields"]?[section.rawValue]?.mapValue { fields[section.rawValue] = map }
    }
  }

  var json: Value {
    var orders = ValueMap()
    var all = ValueMap()
    for section in Exchange.Section.allCases {
      orders[section.rawValue] = .list((order[section.rawValue] ?? []).map { .string($0) })
      if let map = fields[section.rawValue], !map.isEmpty { all[section.rawValue] = .map(map) }
    }
    return ["hash": .string(hash), "rest": .map(rest), "order": .map(orders), "fields": .map(all)]
  }
}
