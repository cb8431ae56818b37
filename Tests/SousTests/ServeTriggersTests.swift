import Expressions
import Foundation
import Glibc
import LoopbackPorts
import Synchronization
import Testing

/// Events that start recipes under `sous serve`, as processes that live and die.
@Suite(.timeLimit(.minutes(10))) struct ServeTriggersTests {
  private let sous: SousProcess
  private let port: Int

  init() throws {
    sous = try SousProcess()
    port = try LoopbackPort.free()
    try sous.write(
      "sous.yaml",
      "listen: \(port)\nsecrets: [environment]\nproviders:\n  home: { plugin: maildir, path: box, create: true }\n")
  }

  // MARK: Processes

  private func serve(
    _ change: (inout [String: String]) -> Void = { _ in }, output: FileHandle = .nullDevice
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: SousProcess.executable)
    process.arguments = ["serve"]
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    var environment = sous.environment
    environment["HOOK"] = "right"
    change(&environment)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func kill9(_ daemon: Process) {
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
  }

  private func wait(
    _ location: SourceLocation = #_sourceLocation, until condition: () throws -> Bool
  ) async throws {
    try await sous.wait(location, until: condition)
  }

  private func list(_ arguments: String...) throws -> [Value] {
    let outcome = try sous.run(SousProcess.executable, arguments + ["--json"])
    #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
    return try outcome.json.listValue ?? []
  }

  private func runs(_ recipe: String) throws -> [Value] {
    try list("runs", "--limit", "10000").filter { $0["recipe"] == .string(recipe) }
  }

  /// Waits until a trigger of a recipe listens.
  private func listens(_ recipe: String) async throws {
    try await wait { try list("triggers").contains { $0["recipe"] == .string(recipe) && $0["alive_at"] != .null } }
  }

  /// The inputs of a run by their name.
  private func input(_ name: String, of run: Value) throws -> Value? {
    let shown = try sous("show", run["id"]?.stringValue ?? "", "--json").json
    return shown["inputs"]?[name]
  }

  // MARK: The first look

  /// What is there at the first look is not new. So the line that recipes are served comes after it.
  @Test func theDaemonReportsThatItServesAfterTheFirstLookOfEachTrigger() async throws {
    defer { sous.remove() }
    let server = SilentServer(try LoopbackListener())
    defer { server.end() }
    try sous.write(
      "sous.yaml",
      """
      listen: \(port)
      secrets: [environment]
      providers:
        work: { plugin: imap, host: 127.0.0.1, port: \(server.port), tls: none, user: me, password: { secret: HOOK } }
      """)
    try sous.write(
      "recipes/post.yaml",
      "name: post\non: { mail: { event: new, provider: work } }\nsteps: [{ uses: log, with: { message: x } }]\n")
    try sous.write("out", "")
    let daemon = try serve(output: try #require(FileHandle(forWritingAtPath: sous.folder + "/out")))
    defer { kill9(daemon) }
    func printed() throws -> String { try String(contentsOfFile: sous.folder + "/out", encoding: .utf8) }
    try await wait { server.connections > 0 }
    #expect(try printed().isEmpty)
    #expect(try list("triggers").allSatisfy { $0["alive_at"] == .null })
    // The look fails: there is nothing to wait for any more, and the line names the trigger.
    server.closeAll()
    try await wait { try printed().contains("1 trigger; not watching yet: post (mail.new work)\n") }
  }

  /// A server that accepts connections and says nothing, until it closes them and all that follow.
  private final class SilentServer: Sendable {
    private let listener: LoopbackListener
    private let state = Mutex((open: [Int32](), count: 0, closes: false))

    init(_ listener: LoopbackListener) {
      self.listener = listener
      listener.serve { [self] connection in
        let closes = state.withLock { state in
          state.count += 1
          if !state.closes { state.open.append(connection) }
          return state.closes
        }
        if closes { close(connection) }
      }
    }

    var port: Int { listener.port }
    var connections: Int { state.withLock { $0.count } }

    func closeAll() {
      let open = state.withLock { state in
        state.closes = true
        defer { state.open = [] }
        return state.open
      }
      for connection in open { close(connection) }
    }

    func end() {
      listener.end()
      closeAll()
    }
  }

  // MARK: Files

  @Test func eachFileStartsOneRunAlsoWhereTheDaemonIsKilled() async throws {
    defer { sous.remove() }
    try sous.write("drop/early.txt", "x")
    try sous.write(
      "recipes/take.yaml",
      """
      name: take
      inputs: { name: string }
      on: { file: { path: "../drop/*.txt", settle: 100ms, inputs: { name: "{{ event.name }}" } } }
      steps: [ { id: say, uses: log, with: { message: "{{ inputs.name }}" } } ]
      """)
    var daemon = try serve()
    try await listens("take")
    try sous.write("drop/a.txt", "x")
    try sous.write("drop/other.pdf", "x")
    try await wait { try runs("take").count == 1 }
    kill9(daemon)
    try sous.write("drop/b.txt", "x")
    daemon = try serve()
    for number in 0..<20 {
      try sous.write("drop/n\(number).txt", "x")
      if number == 10 {
        kill9(daemon)
        daemon = try serve()
      }
    }
    try await wait { try runs("take").count >= 22 }
    // A file that has changed counts again.
    try sous.write("drop/a.txt", "more")
    try await wait { try runs("take").count >= 23 }
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
    let names = try runs("take").compactMap { try input("name", of: $0)?.stringValue }
    #expect(names.sorted() == (["a.txt", "a.txt", "b.txt"] + (0..<20).map { "n\($0).txt" }).sorted())
  }

  @Test func anotherFolderInItsPlaceMakesNoFileNewAgain() async throws {
    defer { sous.remove() }
    try sous.write("drop/early.txt", "x")
    try sous.write(
      "recipes/take.yaml",
      """
      name: take
      on: { file: { path: "../drop/*.txt", settle: 100ms } }
      steps: [ { uses: log, with: { message: "{{ event.name }}" } } ]
      """)
    let daemon = try serve()
    try await listens("take")
    try sous.write("drop/a.txt", "x")
    try await wait { try runs("take").count == 1 }
    // As where a disk is taken out, and put in again.
    let (drop, disk) = (sous.folder + "/drop", sous.folder + "/disk")
    try FileManager.default.moveItem(atPath: drop, toPath: disk)
    try sous.write("drop/stray.txt", "x")
    try await wait { try list("triggers").contains { $0["trouble"]?.stringValue?.contains("another folder") == true } }
    try FileManager.default.removeItem(atPath: drop)
    try FileManager.default.moveItem(atPath: disk, toPath: drop)
    try sous.write("drop/b.txt", "x")
    try await wait { try runs("take").count >= 2 }
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
    #expect(try runs("take").count == 2)
  }

  @Test func aFileThatComesBackStartsARunAndANameThatIsNotUTF8IsReported() async throws {
    defer { sous.remove() }
    try sous.write("drop/early.txt", "x")
    try sous.write(
      "recipes/take.yaml",
      """
      name: take
      on: { file: { path: "../drop/*.txt", settle: 100ms } }
      steps: [ { uses: log, with: { message: "{{ event.name }}" } } ]
      """)
    let daemon = try serve()
    defer { kill9(daemon) }
    try await listens("take")
    try sous.write("drop/a.txt", "x")
    try await wait { try runs("take").count == 1 }
    // Name, size, time and inode stay.
    let (there, away) = (sous.folder + "/drop/a.txt", sous.folder + "/away.txt")
    for round in 2...4 {
      #expect(rename(there, away) == 0)
      #expect(rename(away, there) == 0)
      try await wait { try runs("take").count == round }
    }
    let name = Array("\(sous.folder)/drop/lat".utf8) + [0xe9] + Array(".txt".utf8)
    let file = open(name.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
    try #require(file >= 0)
    close(file)
    try await wait { try list("triggers").contains { $0["trouble"]?.stringValue?.contains("lat\\xE9.txt") == true } }
    try sous.write("drop/b.txt", "x")
    try await wait { try runs("take").count == 5 }
  }

  // MARK: Plugins

  /// The processes that work for the plugins of a daemon.
  private func workers(of daemon: Process) throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter { process in
      let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      let parent = stat.split(separator: ")").last?.split(separator: " ").dropFirst().first
      let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      return parent.map(String.init) == "\(daemon.processIdentifier)"
        && String(decoding: words, as: UTF8.self).contains("plugin-worker")
    }
  }

  @Test func aTriggerIsAliveSoonAfterItsWorkerHasCrashed() async throws {
    defer { sous.remove() }
    try sous.write(
      "recipes/new.yaml",
      """
      name: new
      on: { mail: new }
      steps: [ { uses: log, with: { message: "{{ event.message.subject }}" } } ]
      """)
    let daemon = try serve()
    defer { kill9(daemon) }
    try await listens("new")
    let before = try workers(of: daemon)
    try #require(!before.isEmpty)
    for worker in before { kill(worker, SIGKILL) }
    try await wait { try workers(of: daemon).contains { !before.contains($0) } }
    let lastAlive = try list("triggers").first?["alive_at"]?.stringValue ?? ""
    // No event comes meanwhile.
    try await wait {
      try list("triggers").contains {
        $0["trouble"] == .null && $0["alive_at"]?.stringValue ?? "" > lastAlive
      }
    }
    try sous.write("box/new/1", "From: a@example.com\nSubject: new\nMessage-ID: <1@x>\n\nx\n")
    try await wait { try runs("new").count == 1 }
  }

  /// Names that look alike but have other bytes are other files.
  @Test func namesThatDifferInTheirBytesAreOtherFiles() async throws {
    defer { sous.remove() }
    try sous.write("drop/early.txt", "x")
    try sous.write(
      "recipes/take.yaml",
      """
      name: take
      on: { file: { path: "../drop/*.txt", settle: 100ms } }
      steps: [ { uses: log, with: { message: "{{ event.name }}" } } ]
      """)
    let daemon = try serve()
    defer { kill9(daemon) }
    try await listens("take")
    func append(_ name: [UInt8]) throws {
      let path = Array("\(sous.folder)/drop/".utf8) + name + Array(".txt".utf8)
      let file = open(path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY | O_APPEND, 0o600)
      try #require(file >= 0)
      #expect(Glibc.write(file, "x", 1) == 1)
      close(file)
    }
    let (composed, decomposed): ([UInt8], [UInt8]) = ([0xc3, 0xbc], [0x75, 0xcc, 0x88])
    try append(composed)
    try append(decomposed)
    try await wait { try runs("take").count == 2 }
    try append(composed)
    try await wait { try runs("take").count == 3 }
    #expect(unlink("\(sous.folder)/drop/" + String(decoding: decomposed, as: UTF8.self) + ".txt") == 0)
    try append(composed)
    try await wait { try runs("take").count == 4 }
  }

  // MARK: Webhooks

  @Test func aDaemonReportsATakenPortAndListensAsSoonAsItIsFree() async throws {
    defer { sous.remove() }
    let taken = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(taken, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(bound == 0 && listen(taken, 1) == 0)
    try sous.write(
      "recipes/hook.yaml",
      """
      name: hook
      on: { webhook: { name: go, secret: HOOK } }
      steps: [ { uses: log, with: { message: "ran" } } ]
      """)
    let daemon = try serve()
    defer { kill9(daemon) }
    try await wait { try list("triggers").contains { $0["trouble"]?.stringValue?.isEmpty == false } }
    close(taken)
    try await wait { try list("triggers").contains { $0["trouble"] == .null && $0["alive_at"] != .null } }
    // Neither a program that the daemon starts nor the one that reports its crash inherits a socket.
    let folder = "/proc/\(daemon.processIdentifier)/fd"
    let open = try FileManager.default.contentsOfDirectory(atPath: folder).filter { (Int($0) ?? 0) > 2 }
    let kept = open.filter { number in
      let text = (try? String(contentsOfFile: "\(folder)info/\(number)", encoding: .utf8)) ?? ""
      let flags = text.split(separator: "\n").first { $0.hasPrefix("flags:") }?.split(whereSeparator: \.isWhitespace)
        .last
      guard let flags, let bits = Int(flags, radix: 8) else { return false }
      let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")) ?? ""
      return bits & Int(O_CLOEXEC) == 0 && !target.contains("eventpoll")
    }
    #expect(!open.isEmpty && kept.isEmpty)
  }

  /// Sends a request and gives back the status and the body.
  private func post(_ path: String, _ body: String, _ fields: [String], method: String = "POST") throws -> (
    Int, String
  )? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { return nil }
    let head =
      ["\(method) \(path) HTTP/1.1", "Host: x", "Connection: close", "Content-Length: \(body.utf8.count)"] + fields
    let request = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      answer += buffer.prefix(count)
    }
    let text = String(decoding: answer, as: UTF8.self)
    guard let status = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
    return (status, text.components(separatedBy: "\r\n\r\n").last ?? "")
  }

  @Test func aRequestStartsOneRunAndIsOnTheDiskWhenItIsAnswered() async throws {
    defer { sous.remove() }
    try sous.write(
      "recipes/hook.yaml",
      """
      name: hook
      inputs: { number: integer }
      on:
        webhook: { name: hook, secret: HOOK, limit: 1000, filter: "event.body.number > 0", inputs: { number: "{{ event.body.number }}" } }
      steps: [ { id: say, uses: log, with: { message: "{{ string(inputs.number) }}" } } ]
      """)
    let bearer = ["Authorization: Bearer right", "Content-Type: application/json"]
    var daemon = try serve()
    try await wait { try post("/hooks/hook", "{}", []) != nil }
    try await wait { try post("/hooks/hook", "{}", [])?.0 == 401 }
    #expect(try post("/hooks/hook", "{}", ["Authorization: Bearer wrong"])?.0 == 401)
    #expect(try post("/hooks/none", "{}", bearer)?.0 == 404)
    #expect(try post("/hooks/hook", "", bearer, method: "GET")?.0 == 405)
    #expect(try post("/hooks/hook", String(repeating: " ", count: 1001), bearer)?.0 == 413)
    #expect(try post("/hooks/hook", "{", bearer)?.0 == 400)
    #expect(try post("/hooks/hook", #"{"number": 0}"#, bearer)?.0 == 202)
    #expect(try post("/hooks/hook", #"{"number": "x"}"#, bearer)?.0 == 422)
    #expect(try runs("hook").isEmpty)
    // Each is sent until it is answered; the daemon dies in between.
    for number in 1...20 {
      let fields = bearer + ["Idempotency-Key: n\(number)"]
      if number % 7 == 0 {
        _ = try post("/hooks/hook", "{\"number\": \(number)}", fields)
        kill9(daemon)
        daemon = try serve()
      }
      var status = 0
      try await wait {
        status = try post("/hooks/hook", "{\"number\": \(number)}", fields)?.0 ?? 0
        return status == 202 || status == 200
      }
      #expect(status == (number % 7 == 0 ? 200 : 202))
    }
    kill9(daemon)
    let numbers = try runs("hook").compactMap { try input("number", of: $0) }.compactMap { value -> Int64? in
      if case .int(let number) = value { number } else { nil }
    }
    #expect(numbers.sorted() == (1...20).map(Int64.init))
  }

  // MARK: Other recipes

  @Test func theEndOfARecipeStartsAnotherOnceAlsoAfterAnOutage() async throws {
    defer { sous.remove() }
    try sous.write(
      "recipes/first.yaml",
      "name: first\ninputs: { bad: { type: boolean, default: false } }\nsteps: [ { uses: fail, when: inputs.bad, with: { message: no } }, { uses: log, with: { message: x } } ]\n"
    )
    try sous.write(
      "recipes/then.yaml",
      "name: then\non: { recipe: first }\nsteps: [ { uses: log, with: { message: \"{{ event.run }}\" } } ]\n")
    try sous.write(
      "recipes/alarm.yaml",
      "name: alarm\non: { recipe: first, ended: failed }\nsteps: [ { uses: log, with: { message: \"{{ event.status }}\" } } ]\n"
    )
    try sous.write(
      "recipes/loop.yaml", "name: loop\non: { recipe: pool }\nsteps: [ { uses: log, with: { message: x } } ]\n")
    try sous.write(
      "recipes/pool.yaml", "name: pool\non: { recipe: loop }\nsteps: [ { uses: log, with: { message: x } } ]\n")
    #expect(try sous("run", "recipes/first.yaml").status == 0)
    var daemon = try serve()
    try await listens("then")
    #expect(try sous("run", "recipes/first.yaml").status == 0)
    try await wait { try runs("then").count == 1 }
    #expect(try sous("status").output.contains("circle"))
    kill9(daemon)
    #expect(try sous("run", "recipes/first.yaml").status == 0)
    #expect(try sous("run", "recipes/first.yaml", "-i", "bad=true").status == 1)
    #expect(try sous("run", "recipes/loop.yaml").status == 0)
    daemon = try serve()
    try await wait { try runs("then").count == 2 && runs("alarm").count == 1 }
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
    #expect(try runs("loop").count == 1 && runs("pool").isEmpty && runs("then").count == 2)
  }

  @Test func twoAlarmsForAllRecipesStartOnceForEachFailureAndNeverEachOtherInACircle() async throws {
    defer { sous.remove() }
    try sous.write(
      "recipes/job.yaml", "name: job\nsteps: [ { id: pay, uses: fail, with: { message: no money } } ]\n")
    for name in ["alarm", "other"] {
      try sous.write(
        "recipes/\(name).yaml",
        """
        name: \(name)
        on: { recipe: "*", failed: true }
        steps:
          - uses: fail
            with: { message: "{{ event.recipe }}/{{ event.step }}/{{ event.error.kind }}/{{ event.error.message }}" }
        """)
    }
    var daemon = try serve()
    try await listens("alarm")
    try await listens("other")
    #expect(try sous("run", "recipes/job.yaml").status == 1)
    // Each alarm sees the job and the other alarm's run for the job; no run for a run that itself has led to.
    try await wait { try runs("alarm").count == 2 && runs("other").count == 2 }
    kill9(daemon)
    #expect(try sous("run", "recipes/job.yaml").status == 1)
    daemon = try serve()
    try await wait { try runs("alarm").count == 4 && runs("other").count == 4 }
    try await wait { try (runs("alarm") + runs("other")).allSatisfy { $0["status"] == "failed" } }
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
    #expect(try runs("alarm").count == 4 && runs("other").count == 4)
    #expect(
      try sous("show", "alarm").output.contains("/failed/no money") || sous("show", "alarm").output.contains("other/"))
  }

  // MARK: Mail filters

  @Test func aFilterDealsWithTheNewMessageAlone() async throws {
    defer { sous.remove() }
    for folder in ["new", "cur", "tmp", ".Done/new", ".Done/cur", ".Done/tmp"] {
      try FileManager.default.createDirectory(atPath: sous.folder + "/box/" + folder, withIntermediateDirectories: true)
    }
    try sous.write("box/new/1", "From: a@example.com\nSubject: old\nMessage-ID: <1@x>\n\nx\n")
    try sous.write(
      "recipes/tidy.yaml",
      """
      kind: mail-filter
      name: tidy
      provider: home
      folder: INBOX
      on: { mail: new }
      rules: [ { name: all, then: [ { move: Done } ] } ]
      """)
    let daemon = try serve()
    try await listens("tidy")
    var number = 1
    // What is there when the mailbox is looked at for the first time is not new.
    while try runs("tidy").isEmpty {
      number += 1
      try sous.write("box/new/\(number)", "From: a@example.com\nSubject: new\nMessage-ID: <\(number)@x>\n\nx\n")
      for _ in 0..<10 where try runs("tidy").isEmpty { try await Task.sleep(for: .milliseconds(50)) }
    }
    try await wait { try runs("tidy").allSatisfy { $0["status"] == "succeeded" } }
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
    let left =
      try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/box/new")
      + FileManager.default.contentsOfDirectory(atPath: sous.folder + "/box/cur")
    #expect(left.contains { $0 == "1" || $0.hasPrefix("1:") })
    let moved = try ["new", "cur"].flatMap {
      try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/box/.Done/" + $0)
    }
    #expect(!moved.isEmpty)
    // Started by hand, it goes through the whole folder.
    #expect(try sous("run", "recipes/tidy.yaml").status == 0)
    let rest =
      try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/box/new")
      + FileManager.default.contentsOfDirectory(atPath: sous.folder + "/box/cur")
    #expect(rest.isEmpty, "\(rest)")
  }

  // MARK: Faults

  @Test func theLastGoodVersionIsInForceAfterAKillAndTheDeathIsTold() async throws {
    defer { sous.remove() }
    let good =
      "name: tick\non: { schedule: { every: 1s, overlap: allow } }\nsteps: [ { uses: log, with: { message: x } } ]\n"
    try sous.write("recipes/tick.yaml", good)
    var daemon = try serve()
    try await wait { try !runs("tick").isEmpty }
    kill9(daemon)
    #expect(try sous("status").output.contains("no server is running"))
    try sous.write("recipes/tick.yaml", "name: tick\non: [")
    let before = try runs("tick").count
    daemon = try serve()
    try await wait { try runs("tick").count > before + 1 }
    #expect(try sous("status").output.contains("tick.yaml: "))
    // A file that is gone takes its schedule along.
    try FileManager.default.removeItem(atPath: sous.folder + "/recipes/tick.yaml")
    try await wait { try list("schedules").isEmpty }
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
  }

  // MARK: Commands

  @Test func missedPointsAreRunAfterwards() async throws {
    defer { sous.remove() }
    try sous.write(
      "recipes/tick.yaml",
      "name: tick\non: { schedule: { every: 1h, timezone: UTC } }\nsteps: [ { uses: log, with: { message: \"{{ event.at }}\" } } ]\n"
    )
    let range = ["--from", "2026-01-01T00:30:00Z", "--to", "2026-01-01T05:30:00Z"]
    // So old a point may have had a run of which nothing is known any more.
    #expect(try sous.run(SousProcess.executable, ["schedules", "backfill", "tick"] + range).status == 2)
    let arguments = range + ["--force"]
    let first = try sous.run(
      SousProcess.executable, ["schedules", "backfill", "tick", "--json"] + arguments)
    #expect(first.status == 0, "\(first.errors)")
    #expect(
      try first.json.listValue?.compactMap { $0["at"]?.stringValue }
        == (1...5).map { "2026-01-01T0\($0):00:00Z" })
    let again = try sous.run(SousProcess.executable, ["schedules", "backfill", "tick", "--json"] + arguments)
    #expect(try again.json.listValue?.isEmpty == true)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try runs("tick").count { $0["status"] == "succeeded" } == 5)
    let much = try sous("schedules", "backfill", "tick", "--from", "2020-01-01")
    #expect(much.status == 2)
    let next = try sous("schedules", "next", "recipes/tick.yaml", "--from", "2026-01-01T00:30:00Z", "--count", "1")
    #expect(next.output == "2026-01-01T01:00:00+00:00\n")
    #expect(
      try sous("schedules", "next", "tick", "--from", "2026-01-01T00:30:00Z", "--count", "1").output == next.output)
  }

  @Test func whatComesNextIsALineForEachPoint() throws {
    defer { sous.remove() }
    let workday = try sous(
      "schedules", "next", "0 7 * * 1-5", "--timezone", "Europe/Zurich", "--from", "2026-11-22T12:00", "--count", "1",
      "--json")
    #expect(workday.output == "{\"at\": \"2026-11-23T07:00:00+01:00\"}\n")
    let south = try sous(
      "schedules", "next", "sunset", "--place", "-33.87,151.2", "--timezone", "Australia/Sydney", "--from",
      "2026-11-22T12:00", "--count", "1")
    #expect(south.status == 0)
    #expect(south.output.hasPrefix("2026-11-22T19:"))
    let over = try sous("schedules", "next", "once 2020-01-01")
    #expect(over.status == 0)
    #expect(over.output.isEmpty)
    #expect(!over.errors.isEmpty)
  }

  @Test func recipesAreBegunAndCopied() throws {
    defer { sous.remove() }
    #expect(try sous("recipes", "new", "drop", "--template", "file").status == 0)
    #expect(try sous("validate", "recipes/drop.yaml").status == 0)
    #expect(try sous("recipes", "new", "drop").status == 2)
    #expect(try sous("recipes", "new", "../drop").status == 2)
    #expect(try sous("recipes", "duplicate", "drop", "second").status == 0)
    let recipes = try list("recipes")
    #expect(Set(recipes.compactMap { $0["name"]?.stringValue }) == ["drop", "second"])
    #expect(recipes.first { $0["name"] == "second" }?["disabled"] == true)
    #expect(recipes.first { $0["name"] == "drop" }?["disabled"] == false)
  }
}
