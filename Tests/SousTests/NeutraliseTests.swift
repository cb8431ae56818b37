import Expressions
import Foundation
import PlantedLetters
import Testing

/// `neutralise: required`, `text.neutralise`, `sous neutralise` and `sous resolve` with the whole program.
@Suite(.timeLimit(.minutes(10))) struct NeutraliseTests {
  private func project(_ model: EchoModel) throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write(
      "sous.yaml",
      """
      providers:
        model:
          plugin: ollama
          base_url: "http://127.0.0.1:\(model.port)"
          model: echo
          neutralise: { patterns: ['\\bK-\\d{6}\\b'] }
      files: { folders: [.] }
      defaults: { chat: model }

      """)
    return sous
  }

  /// All that is written below the folder of the run log.
  private func written(_ sous: SousProcess) -> [String: Data] {
    let folder = sous.folder + "/.sous"
    var files: [String: Data] = [:]
    for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
      files[name] = FileManager.default.contents(atPath: folder + "/" + name)
    }
    return files
  }

  /// Bytes without runs of Base64, in which any short text stands by chance.
  private static func withoutSealed(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var start = 0
    for index in 0...bytes.count {
      if index < bytes.count {
        switch bytes[index] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: continue
        default: break
        }
      }
      output += index - start > 60 ? [0x0A] : bytes[start..<index]
      if index < bytes.count { output.append(bytes[index]) }
      start = index + 1
    }
    return output
  }

  /// A text in which thousands of others are looked for.
  private struct Haystack {
    let bytes: [UInt8]
    /// All runs of four bytes; what has one that is not among them does not stand in the text.
    let fours: Set<UInt32>

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      var fours: Set<UInt32> = []
      var last: UInt32 = 0
      for byte in bytes {
        last = last << 8 | UInt32(byte)
        fours.insert(last)
      }
      self.fours = fours
    }

    func holds(_ text: String) -> Bool {
      var last: UInt32 = 0
      for (index, byte) in text.utf8.enumerated() {
        last = last << 8 | UInt32(byte)
        if index >= 3, !fours.contains(last) { return false }
      }
      return Data(bytes).range(of: Data(text.utf8)) != nil
    }
  }

  @Test func noPlantedStringReachesTheModelOrTheRunLog() throws {
    let model = try EchoModel()
    defer { model.end() }
    let sous = try project(model)
    defer { sous.remove() }
    // 'SOUS_TEST_LETTERS=500' takes some minutes.
    let count = ProcessInfo.processInfo.environment["SOUS_TEST_LETTERS"].flatMap(Int.init) ?? 60
    let letters = PlantedLetter.letters(count, seed: 4_711)
    try sous.write("letters.json", Value.list(letters.map { .string($0.text) }).jsonString)
    try sous.write(
      "canary.yaml",
      """
      name: canary
      inputs: { greeting: { type: string, minLength: 1 } }
      steps:
        - { id: read, uses: file.read, with: { path: letters.json } }
        - { id: letters, uses: json.parse, with: { text: "{{ steps.read.output.content }}" } }
        - id: ask
          for_each: "{{ steps.letters.output.value }}"
          parallel: 8
          uses: chat.complete
          with: { prompt: "Repeat for {{ inputs.greeting }}.", input: "{{ item }}" }
        - { id: note, uses: log, with: { message: "{{ steps.ask.items[0].output.text }}" } }
      outputs: { answers: "{{ steps.ask.items.map(answer, answer.output.text) }}" }

      """)
    let outcome = try sous("run", "canary.yaml", "--quiet", "-i", "greeting=Frau Quobbelmann")
    #expect(outcome.status == 0, "\(outcome.errors.prefix(2000))")
    let answers = try outcome.json.listValue ?? []
    #expect(answers.count == letters.count)
    for (answer, letter) in zip(answers, letters) {
      #expect(answer.stringValue?.hasSuffix(letter.text) == true)
      #expect(answer.stringValue?.contains("Frau Quobbelmann") == true)
    }
    #expect(model.bodies.count == letters.count)
    let files = written(sous)
    #expect(files.keys.contains("sous.db"))
    let sent = Haystack(Array(model.bodies.joined(separator: "\n").lowercased().utf8))
    let stored = Haystack(files.values.flatMap { Self.withoutSealed(Array($0)) })
    var leaks: [String] = []
    for value in Set(letters.flatMap(\.planted).map(\.value) + ["Quobbelmann"]) {
      if sent.holds(value.lowercased()) { leaks.append("sent: \(value)") }
      if stored.holds(value) || stored.holds(value.lowercased()) { leaks.append("stored: \(value)") }
    }
    #expect(leaks.isEmpty, "\(leaks.count): \(leaks.prefix(20))")
    #expect(try sous("show", "--json").status == 0)
  }

  @Test func chatIsNeutralToo() throws {
    let model = try EchoModel()
    defer { model.end() }
    let sous = try project(model)
    defer { sous.remove() }
    let outcome = try sous("chat", "Schreib Frau Quobbelmann, Tel. 044 123 45 67")
    #expect(outcome.output == "Schreib Frau Quobbelmann, Tel. 044 123 45 67\n")
    #expect(
      model.bodies.allSatisfy { !$0.contains("Quobbelmann") && $0.contains("[PERSON_1]") && !$0.contains("044 123") })
    #expect(model.bodies.count == 1)
  }

  @Test func picturesAreRefused() throws {
    let model = try EchoModel()
    defer { model.end() }
    let sous = try project(model)
    defer { sous.remove() }
    try sous.write(
      "p.yaml",
      #"steps: [{ id: a, uses: chat.complete, with: { prompt: x, images: ["data:image/png;base64,AAAA"] } }]"# + "\n")
    let outcome = try sous("run", "p.yaml")
    #expect(outcome.status == 1 && (outcome.output + outcome.errors).contains("'neutralise'"))
    #expect(model.bodies.isEmpty)
  }

  @Test func aTextIsResolvedInALaterStep() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "neutralise: { words: [Adler] }\n")
    try sous.write(
      "t.yaml",
      """
      inputs: { text: { type: string } }
      steps:
        - { id: out, uses: text.neutralise, with: { text: "{{ inputs.text }}" } }
        - { id: back, uses: text.resolve, with: { text: "Akte: {{ steps.out.output.text }}", mapping: "{{ steps.out.output.mapping }}" } }
      outputs:
        text: "{{ steps.out.output.text }} {{ steps.back.output.text }} {{ steps.out.output.statistics.person }}"

      """)
    let outcome = try sous("run", "t.yaml", "--quiet", "-i", "text=Herr Quobbelmann leitet Adler")
    #expect(outcome.output == "Herr [PERSON_1] leitet [PRIVATE_1] Akte: Herr Quobbelmann leitet Adler 1\n")
    // Whoever runs it gets what it gives; the run log has it sealed.
    let direct = try sous("run", "t.yaml", "--json", "-i", "text=Herr Quobbelmann").json
    #expect(direct["outputs"]?["text"] == "Herr [PERSON_1] Akte: Herr Quobbelmann 1")
    #expect(try sous("show", "last", "--json").output.contains("Quobbelmann") == false)
    let stored = written(sous).values.map { String(decoding: $0, as: UTF8.self) }.joined()
    #expect(!stored.contains("Quobbelmann"))
  }

  @Test func filesAreNeutralisedAndResolvedByASealedMapping() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("a.txt", "Frau Quobbelmann, a@b.example\n")
    try sous.write("b.txt", "Quobbelmann ruft an.\n")
    try FileManager.default.createDirectory(atPath: sous.folder + "/out", withIntermediateDirectories: true)
    let outcome = try sous("neutralise", "a.txt", "b.txt", "--to", "out", "--mapping", "m.sealed", "--stats")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("person\t2"))
    #expect(try String(contentsOfFile: sous.folder + "/out/a.txt", encoding: .utf8) == "Frau [PERSON_1], [EMAIL_1]\n")
    #expect(try String(contentsOfFile: sous.folder + "/out/b.txt", encoding: .utf8) == "[PERSON_1] ruft an.\n")
    let sealed = try String(contentsOfFile: sous.folder + "/m.sealed", encoding: .utf8)
    #expect(sealed.hasPrefix("sealed:") && !sealed.contains("Quobbelmann"))
    try sous.write("answer.txt", "Liebe Frau person_1, PERSON_1s Mail ist [EMAIL_1].\n")
    let resolved = try sous("resolve", "answer.txt", "--mapping", "m.sealed")
    #expect(resolved.output == "Liebe Frau Quobbelmann, Quobbelmanns Mail ist a@b.example.\n")
    #expect(try sous("neutralise", "--kinds").output.contains("iban\t[IBAN_1]"))
    #expect(try sous("neutralize", "--kinds").output.contains("iban\t[IBAN_1]"))
    let unknown = try sous("neutralise", "a.txt", "--format", "xyz")
    #expect(unknown.status == 2 && unknown.errors.contains("markdown"))
    // A text is never written over itself.
    #expect(try sous("neutralise", "a.txt", "--to", ".").status == 2)
    #expect(try String(contentsOfFile: sous.folder + "/a.txt", encoding: .utf8) == "Frau Quobbelmann, a@b.example\n")
  }

  @Test func whatIsSealedIsShownOnRequestWhereThereIsAVault() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("a.txt", "Frau Quobbelmann\n")
    #expect(try sous("neutralise", "a.txt", "--mapping", "m.sealed").status == 0)
    try sous.write(
      "t.yaml",
      """
      inputs: { text: { type: string } }
      steps: [{ id: out, uses: text.neutralise, with: { text: "{{ inputs.text }}" } }]
      outputs: { text: "{{ inputs.text }}" }

      """)
    #expect(try sous("run", "t.yaml", "-i", "text=Herr Quobbelmann").status == 0)
    #expect(try !sous("show", "--json").output.contains("Quobbelmann"))
    let shown = try sous("show", "--json", "--unseal").json
    #expect(shown["outputs"]?["text"] == "Herr Quobbelmann" && shown["inputs"]?["text"] == "Herr Quobbelmann")
    #expect(try sous("show", "--output", "out", "--unseal").json["text"] == "Herr [PERSON_1]")
  }

  @Test func namesOfTheInputsStandInNoFailure() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "t.yaml",
      """
      inputs: { text: { type: string } }
      steps:
        - { id: out, uses: text.neutralise, with: { text: "{{ inputs.text }}" } }
        - { id: end, uses: fail, with: { message: "{{ steps.out.output.text }} fehlt, denn quobbelmann, Quobbelmann" } }

      """)
    #expect(try sous("run", "t.yaml", "--quiet", "-i", "text=Herr Quobbelmann").status == 1)
    let message = try sous("show", "--json").json["failure"]?["message"]?.stringValue ?? ""
    #expect(message.hasPrefix("Herr [PERSON_1] fehlt") && !message.contains("Quobbelmann"), "\(message)")
  }
}
