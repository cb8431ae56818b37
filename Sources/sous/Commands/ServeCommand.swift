import ArgumentParser
import Builtins
import Engine
import Expressions
import Glibc
import Localization
import Serve
import Server
import UseCases

/// `sous serve`: starts recipes by their triggers, and works through the queue.
struct ServeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "serve",
      abstract: say(
        "Start recipes by their schedules and triggers, and work through the queue.",
        de: "Rezepte nach Zeitplan und durch Auslöser starten und die Warteschlange abarbeiten."),
      discussion: say(
        "Serves the recipes in the folders 'recipes' of sous.yaml. Runs until SIGTERM or Ctrl-C; SIGHUP reads the "
          + "configuration and all recipes anew.",
        de: "Führt die Rezepte in den Ordnern 'recipes' von sous.yaml aus. Läuft bis SIGTERM oder Strg-C; SIGHUP liest "
          + "die Konfiguration und alle Rezepte neu."))
  }

  @Flag(
    help: ArgumentHelp(
      say(
        "Work through what is queued, due, interrupted or abandoned, and end; no trigger is listened to.",
        de: "Abarbeiten, was eingereiht, fällig, unterbrochen oder verlassen ist, und enden; auf keinen Auslöser wird "
          + "gehört.")))
  var once = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Only look at configuration, recipes, address, certificate, users and the collector of traces, and say what to mend.",
        de:
          "Nur Konfiguration, Rezepte, Adresse, Zertifikat, Benutzer und den Collector der Traces prüfen und sagen, was zu ändern ist."
      )))
  var check = false

  @OptionGroup var amount: WorkAmountOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    if check { return try await Self.check(format, global) }
    if once { return try await WorkCommand.work(amount.order, endsWhenIdle: true, format, global) }
    let work = WorkReport(json: format.json)
    let serve = ServeReport(json: format.json)
    var workspace = try Workspace(global)
    LongLivedProcess.prepare(environment: workspace.surroundings.environment)
    workspace.surroundings.isolatesMail = true
    let front = HTTPSide(version: Version.current)
    workspace.surroundings.events = { event in
      Notices.tell(event)
      front.observe(event)
      switch event {
      case .work(let event): work.take(event)
      case .serve(let event): serve.take(event)
      default: break
      }
    }
    let order = amount.order
    while try await Self.serve(workspace, order, front) {
      // Between two sessions the signal would end the process.
      signal(SIGHUP, SIG_IGN)
      if !format.json { write(say("reloaded\n", de: "neu geladen\n")) }
    }
    work.stop()
  }

  /// Says what would keep the daemon from working.
  private static func check(_ format: FormatOptions, _ global: GlobalOptions) async throws {
    let project = try Project(try Workspace(global))
    var problems: [(place: String, text: LocalizedText)] = []
    for recipe in try await project.servedRecipes() { problems += recipe.problems.map { (recipe.path, $0) } }
    let server = await ServerCheck(of: project)
    problems += server.problems.map { ("server", $0) }
    let traces = await TraceCheck.ask(project, version: Version.current)
    if case .fails(let message)? = traces { problems.append(("engine.traces", message)) }
    if format.json {
      writeJSON([
        "ok": .bool(problems.isEmpty), "traces": Self.status(traces).map { Value.int(Int64($0)) } ?? .null,
        "problems": .list(problems.map { ["place": .string($0.place), "message": .string($0.text.spoken)] }),
        "notes": .list(server.notes.map { .string($0.spoken) }),
      ])
    } else {
      if let status = Self.status(traces) {
        write(
          say(
            "✓ engine.traces: the collector answers an export without spans with status \(status)\n",
            de: "✓ engine.traces: der Collector antwortet auf einen Export ohne Spans mit Status \(status)\n"))
      }
      for note in server.notes { write("\(note.spoken.singleLine)\n") }
      if problems.isEmpty { write(say("everything is in order\n", de: "alles ist in Ordnung\n")) }
      let terminal = Terminal()
      for (place, text) in problems {
        write("\(terminal.styled("✗", .red)) \(place.singleLine): \(text.spoken.singleLine)\n")
      }
    }
    if !problems.isEmpty { throw CommandError(ExitStatus.environment) }
  }

  /// The status by which a collector has accepted an export.
  private static func status(_ answer: TraceCheck.Answer?) -> Int? {
    if case .accepts(let status)? = answer { status } else { nil }
  }

  /// Serves with the configuration as it is now, until the process is to end or the configuration is to be read anew.
  ///
  /// - Returns: Whether it is to be read anew.
  private static func serve(_ workspace: Workspace, _ order: WorkOrder, _ front: HTTPSide) async throws -> Bool {
    let reload = ReloadSignal()
    // Other processes may be stopped in the middle of a transaction; a long-running process waits for them.
    try await workspace.withSession(patience: 600) { session in
      let drain = session.drain
      try await Interruption.untilInterrupted(
        draining: drain,
        reloading: {
          do throws(UseCaseError) {
            // A file that cannot be read is not used.
            _ = try Project(workspace)
            reload.set()
            drain.set()
          } catch {
            writeError(say("not reloaded: ", de: "nicht neu geladen: ") + error.message.spoken.singleLine + "\n")
            if let planning = error.planning {
              writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(planning))
            }
          }
        }
      ) { try await session.serve(order, reload: reload, front: front, version: Version.current) }
    }
    return reload.isSet
  }
}
