import Expressions
import FixturePlugins
import Foundation
import Testing

/// Runs plugins that give their secrets away in every way they have, and looks for them everywhere.
@Suite(.timeLimit(.minutes(15)))
struct SecretLeakTests {
  /// What every secret begins and ends with; in between stands where it comes from.
  private static let (head, tail) = ("CANARYbird", "YRANACdrib")

  private static func secret(_ source: String) -> String { "\(head)-\(source)-\(tail)" }

  /// What must not be anywhere: the secrets' ends as they are, in hexadecimal, and in Base64 at each of the three places
  /// they can have.
  private static let traces: [String] = [head, tail].flatMap { word in
    let bytes = Array(word.utf8)
    let base64 = (0..<3).map { offset in
      let encoded = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString()
      return String(encoded.prefix((offset + bytes.count) * 8 / 6).dropFirst((offset * 8 + 5) / 6))
    }
    return [word, bytes.map { String($0, radix: 16) }.joined()] + base64
  }

  let sous: SousProcess

  init() throws {
    var sous = try SousProcess()
    sous.environment["FROM_ENVIRONMENT"] = Self.secret("environment")
    sous.environment["CREDENTIALS_DIRECTORY"] = sous.folder + "/credentials"
    sous.environment["SOUS_VAULT_PASSPHRASE_FILE"] = sous.folder + "/passphrase"
    self.sous = sous
    try write("secrets.env", "FROM_FILE='\(Self.secret("file"))'\n")
    try write("whole", Self.secret("whole") + "\n")
    try write("credentials/FROM_SYSTEMD", Self.secret("systemd"))
    try write("passphrase", "correct horse battery staple\n")
    try write("value", Self.secret("vault \"ü\" + %") + "\n")
    try configure(isolation: "process")
    let outcome = try set("FROM_VAULT", from: "value")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func configure(isolation: String) throws {
    try sous.write(
      "sous.yaml",
      """
      secrets:
        - environment
        - file: secrets.env
        - credentials
        - vault
      providers:
        leaky:
          plugin: \(try FixtureLibrary.leaky())
          isolation: \(isolation)
          environment: { secret: FROM_ENVIRONMENT }
          file: { secret: FROM_FILE }
          whole: { secret: { file: whole } }
          systemd: { secret: FROM_SYSTEMD }
          vault: { secret: FROM_VAULT }
          command:
            secret:
              command:
                - sh
                - -c
                - "tr '\\\\0' '\\\\n' </proc/self/environ >child-environment; printf 'CANARYbird-%s-%s' command YRANACdrib"
        broken:
          plugin: \(try FixtureLibrary.leaky())
          isolation: \(isolation)
          broken: true
          list: [{ secret: FROM_VAULT }, { secret: FROM_ENVIRONMENT }]
      """)
  }

  private func write(_ name: String, _ text: String) throws {
    let path = try sous.write(name, text)
    #expect(chmod(path, 0o600) == 0)
  }

  private func set(_ name: String, from file: String) throws -> SousProcess.Outcome {
    try sous.run("/bin/sh", ["-c", "exec \"$0\" secrets set \(name) <\(file)", SousProcess.executable])
  }

  /// The traces in some bytes.
  private func traces(in bytes: Data) -> [String] {
    Self.traces.filter { bytes.range(of: Data($0.utf8)) != nil }
  }

  private func expectClean(_ outcome: SousProcess.Outcome, _ what: String) {
    #expect(traces(in: Data(outcome.output.utf8)).isEmpty, "standard output of \(what)")
    #expect(traces(in: Data(outcome.errors.utf8)).isEmpty, "standard error of \(what)")
  }

  /// Looks through every file that the program keeps.
  private func expectCleanFiles() throws {
    let folder = sous.folder + "/.sous"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.contains("sous.db") && names.contains("vault"))
    for name in names {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
      #expect(traces(in: data).isEmpty, "\(name)")
    }
  }

  @Test func secretsAreFoundInWhatTellsThem() {
    // The test itself: these are what would be found.
    let text = Data("me:\(Self.secret("x"))".utf8)
    #expect(traces(in: text).count == 2)
    #expect(traces(in: text.base64EncodedData()).count == 2)
    #expect(traces(in: Data(text.map { String($0, radix: 16) }.joined().utf8)).count == 2)
  }

  @Test(arguments: ["in-process", "process"])
  func pluginThatTellsItsSecretsIsNotRepeated(isolation: String) throws {
    defer { sous.remove() }
    try configure(isolation: isolation)
    func run(_ arguments: [String]) throws -> String {
      let outcome = try sous.run(SousProcess.executable, arguments)
      expectClean(outcome, arguments.joined(separator: " "))
      if arguments[0] == "run" { #expect([0, 1].contains(outcome.status), "\(outcome.errors.prefix(2000))") }
      return outcome.output + outcome.errors
    }
    var recipe = ""
    for way in ["log", "fail", "answer", "deltas"] {
      recipe = try sous.write(
        "\(way).yaml",
        """
        steps:
          - { id: tell, uses: leaky.\(way), provider: leaky, retry: { attempts: 1 }, on_error: continue }
          - { id: tell_again, uses: leaky.\(way), provider: broken, retry: { attempts: 1 }, on_error: continue }
        outputs: { told: "{{ steps.tell.output }}" }
        """)
      let listings = [
        ["run", recipe], ["run", recipe, "--json"], ["show", "last", "--json"], ["show", "last"],
        ["logs", "last", "--json"], ["logs", "last"], ["show", "last", "--output", "tell"],
      ]
      let told = try listings.map(run).joined()
      // It was told, and hidden.
      if way != "deltas" { #expect(told.contains("***"), "\(way)") }
    }
    // What is about all runs, or about none.
    let listings = [
      ["runs", "--json"], ["secrets", "list", "--json"], ["secrets", "list"], ["secrets", "test", "--json"],
      ["secrets", "test"], ["plugins", "list", "--json"], ["explain", recipe], ["explain", recipe, "--format", "json"],
      ["validate", recipe, "--json"], ["runs", "--text", "tell"], ["logs", "--text", "leaky"], ["stats", "--json"],
      ["export"], ["export", "--format", "otlp"], ["export", "-o", ".sous/export.jsonl"],
      ["db", "backup", ".sous/copy.db"],
    ]
    for arguments in listings { _ = try run(arguments) }
    try expectCleanFiles()
    // A command that fetches a secret is given none, and neither is anything else of the environment it does not need.
    let child = try Data(contentsOf: URL(fileURLWithPath: sous.folder + "/child-environment"))
    #expect(!child.isEmpty)
    #expect(traces(in: child).isEmpty)
  }

  @Test(arguments: ["in-process", "process"]) func crashTellsNothing(isolation: String) throws {
    defer { sous.remove() }
    try configure(isolation: isolation)
    let recipe = try sous.write("recipe.yaml", "steps:\n  - { id: die, uses: leaky.crash, provider: leaky }\n")
    var crashing = sous
    // The report of the Swift runtime shows registers and what they point to.
    crashing.environment["SWIFT_BACKTRACE"] = "enable=yes,color=no,interactive=no,registers=all"
    let outcome = try crashing.run(SousProcess.executable, ["run", recipe])
    #expect(outcome.status != 0)
    expectClean(outcome, "a run that crashes")
    try expectCleanFiles()
    let names = try FileManager.default.contentsOfDirectory(atPath: sous.folder)
    #expect(!names.contains { $0.hasPrefix("core") })
  }

  @Test func lastWordsOfAWorkerTellNothing() throws {
    defer { sous.remove() }
    let recipe = try sous.write(
      "recipe.yaml", "steps:\n  - { id: die, uses: leaky.shout, provider: leaky, retry: { attempts: 1 } }\n")
    for arguments in [["run", recipe], ["run", recipe, "--json"], ["logs"], ["show"]] {
      expectClean(try sous.run(SousProcess.executable, arguments), arguments.joined(separator: " "))
    }
    try expectCleanFiles()
  }

  /// A process with its descendants.
  private static func family(of parent: pid_t) -> [pid_t] {
    var processes = [parent]
    var index = 0
    while index < processes.count {
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processes[index])/task")) ?? []
      for task in tasks {
        let children = try? String(contentsOfFile: "/proc/\(processes[index])/task/\(task)/children", encoding: .utf8)
        processes += (children ?? "").split(separator: " ").compactMap { pid_t($0) }
      }
      index += 1
    }
    return processes
  }

  @Test(arguments: ["in-process", "process"]) func processesShowNoSecrets(isolation: String) throws {
    defer { sous.remove() }
    try configure(isolation: isolation)
    let recipe = try sous.write(
      "recipe.yaml",
      "steps:\n  - { id: wait, uses: leaky.wait, provider: leaky, with: { until: \(sous.folder)/go } }\n")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["run", recipe, "--json"]
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.waitUntilExit() }
    defer { _ = FileManager.default.createFile(atPath: sous.folder + "/go", contents: nil) }
    let parent = process.processIdentifier
    // Until the step runs, which is when the run log names it, and its worker is there, which comes a moment later.
    var processes = [parent]
    for _ in 0..<1000 {
      let log = try sous("show", "last", "--json")
      if log.status == 0, log.output.contains("\"running\"") {
        processes = Self.family(of: parent)
        if isolation == "in-process" || processes.count > 1 { break }
      }
      usleep(20_000)
    }
    if isolation == "process" { #expect(processes.count > 1) }
    for process in processes {
      // Its own environment is given to Sous, and to the process in which it runs with a plugin inside; workers get none of it.
      let isSous = process == parent || isolation == "in-process"
      for file in ["cmdline", "environ"] where !isSous || file != "environ" {
        // What cannot be read shows nothing.
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/\(file)")) else { continue }
        #expect(traces(in: data).isEmpty, "\(file) of \(process)")
      }
    }
    // Nobody but root can look into a process that holds secrets.
    let facts = try FileManager.default.attributesOfItem(atPath: "/proc/\(parent)/environ")
    #expect((facts[.ownerAccountID] as? NSNumber)?.intValue == 0)
    try expectCleanFiles()
  }
}
