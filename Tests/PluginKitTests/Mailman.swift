import PluginKit

/// A plugin that uses streams, secrets, state, blobs and triggers, for the tests.
struct Mailman: Plugin {
  struct Configuration: Decodable, Sendable { var password: String? }
  struct Line: Codable, Sendable { var text: String }
  struct Number: Codable, Sendable { var number: Int }
  struct File: Codable, Sendable { var file: Blob }
  struct Settings: Codable, Sendable { var first: Int }
  struct Nothing: Codable, Sendable {}

  static let manifest = Manifest(
    id: "mailman", version: "1", summary: "Carries lines", hosts: ["mail.example"],
    secrets: ["password", "accounts.*.key"])

  let context: PluginContext
  init(configuration: Configuration, context: PluginContext) { self.context = context }

  static var actions: ActionList<Mailman> { capabilities(of: Mailman.self) }

  /// Also for ``Courier``, which is the plugin that this test program exports.
  @ActionListBuilder<Owner> static func capabilities<Owner: Plugin>(of type: Owner.Type) -> ActionList<Owner> {
    Action("mailman.dialogue", effect: .read, summary: "Talks", input: Line.self, output: Line.self) {
      _, input, context in
      let stream = try await context.streams.open(host: "mail.example", port: 143, tls: .none)
      let greeting = try await stream.readLine(limit: 100) ?? ""
      try await stream.write("STARTTLS\r\n")
      _ = try await stream.readLine()
      try await stream.startTLS()
      try await stream.write("SAY \(input.text)\r\n")
      let length = Int(try await stream.readLine() ?? "") ?? 0
      let text = String(decoding: try await stream.read(exactly: length), as: UTF8.self)
      stream.close()
      return Line(text: "\(greeting)|\(text)|\(stream.hasStartedTLS)")
    }
    Action("mailman.secret", effect: .read, summary: "Reads", input: Line.self, output: Line.self) {
      _, input, context in
      Line(text: try await context.secrets.read(input.text))
    }
    Action("mailman.count", effect: .once, summary: "Counts", input: Nothing.self, output: Number.self) {
      _, _, context in
      let number = try await context.state.transaction { state in
        let number = (try await state.value(Int.self, for: "number") ?? 0) + 1
        try state.set(number, for: "number")
        return number
      }
      return Number(number: number)
    }
    Action("mailman.shout", effect: .pure, summary: "Shouts", input: File.self, output: File.self) {
      _, input, context in
      let bytes = try await context.blobs.read(input.file, upTo: 1 << 20)
      return File(file: try await context.blobs.write(Array(String(decoding: bytes, as: UTF8.self).uppercased().utf8)))
    }
    Action(
      "mailman.thread", effect: .pure, summary: "Blocks", input: Nothing.self, output: Line.self, blocking: true
    ) { _, _, _ in Line(text: currentThread()) }
    Action("mailman.inline", effect: .pure, summary: "Does not", input: Nothing.self, output: Line.self) {
      _, _, _ in Line(text: currentThread())
    }
    Trigger("mailman.tick", summary: "Ticks", settings: Settings.self, event: Number.self) {
      _, settings, cursor, emitter in
      var next = cursor.flatMap(Int.init).map { $0 + 1 } ?? settings.first
      while true {
        if next == 13 { throw ActionError(.server, "Unlucky") }
        try await emitter.emit(Number(number: next), id: "tick-\(next)", cursor: String(next))
        // Again: the same id is the same event.
        try await emitter.emit(Number(number: -1), id: "tick-\(next)", cursor: String(next))
        next += 1
        try await emitter.context.clock.sleep(for: .seconds(60))
      }
    }
  }
}
