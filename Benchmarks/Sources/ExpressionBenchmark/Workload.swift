import Expressions

/// A piece of work that is measured, in our form and in the peer's.
struct Workload {
  var name: String
  /// Does the work once.
  var body: () throws -> Void
  /// What the peer is asked to prepare.
  var request: Value

  static let variables: [String: Value] = [
    "message": [
      "subject": "Rechnung 2026-017", "size": 2048, "flags": ["\\Answered", "\\Seen"],
      "from": ["name": "Ada Lovelace", "address": "ada@example.com"],
    ],
    "price": 19.5, "count": 7, "list": .list((0..<100).map { .int($0) }),
  ]
  private static let environment = Environment(variables: [
    "message": .object(
      ObjectType(
        name: "message",
        fields: ["subject": .string, "size": .int, "flags": .list(.string), "from": .map(.string, .string)])),
    "price": .double, "count": .int, "list": .list(.int),
  ])
  private static let bindings = Bindings(variables: variables)

  /// An expression that both evaluate.
  static func expression(_ name: String, _ source: String) throws -> Workload {
    let expression = try Expression(source, in: environment)
    return Workload(
      name: name, body: { _ = try expression.evaluate(bindings) }, request: request(name, source))
  }

  /// A template; the peer, which has none, evaluates an expression that gives the same text.
  static func template(_ name: String, _ source: String, peer: String) throws -> Workload {
    let template = try Template(source, in: environment)
    return Workload(name: name, body: { _ = try template.render(bindings) }, request: request(name, peer))
  }

  private static func request(_ name: String, _ source: String) -> Value {
    .map(
      ValueMap([
        (key: .string("name"), value: .string(name)), (key: .string("expression"), value: .string(source)),
        (
          key: .string("variables"),
          value: .map(ValueMap(variables.sorted { $0.key < $1.key }.map { (key: .string($0.key), value: $0.value) }))
        ),
      ]))
  }

  /// Everything that is measured.
  static func all() throws -> [Workload] {
    return [
      try expression(
        "filter of messages",
        #"message.size > 1000 && message.subject.contains("Rechnung") && message.flags.exists(f, f == "\\Seen")"#),
      try expression("arithmetic", "(count + 3) * 4 - count / 2 > 10 && price * 2.0 < 100.0"),
      try expression(
        "strings", "message.from.address.endsWith('.com') ? message.subject + ' (' + message.from.name + ')' : ''"),
      try expression("map over 100", "list.map(n, n * 2)"),
      try expression("matches", "message.subject.matches('[0-9]{4}-[0-9]+$')"),
      try template(
        "template", "{{ message.subject }} from {{ message.from.name }}: {{ message.size }} bytes",
        peer: "message.subject + ' from ' + message.from.name + ': ' + string(message.size) + ' bytes'"),
    ]
  }
}
