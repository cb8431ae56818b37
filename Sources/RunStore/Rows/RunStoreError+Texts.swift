internal import Engine
internal import Glibc
internal import Localization

// The sentences of the module, in one place so that they read alike: what happened, to which file, what to do.
extension RunStoreError {
  static func notADatabase(path: String, cause: String? = nil) -> RunStoreError {
    RunStoreError(
      .notADatabase,
      LocalizedText(
        "'\(path)' is not an SQLite database. Move the file away; a new run log is then created.",
        de: "'\(path)' ist keine SQLite-Datenbank. Die Datei verschieben; dann entsteht ein neues Laufprotokoll."),
      path: path, cause: cause)
  }

  static func foreignDatabase(path: String) -> RunStoreError {
    RunStoreError(
      .foreignDatabase,
      LocalizedText(
        "'\(path)' is the database of another program. Choose another place with --state.",
        de: "'\(path)' ist die Datenbank eines anderen Programms. Mit --state einen anderen Ort wählen."),
      path: path)
  }

  /// - Parameter copy: The copy that the newer version has made before it changed the schema; `nil` if none exists.
  static func newerSchema(path: String, file: Int, program: Int, copy: String?) -> RunStoreError {
    let back = copy.map {
      LocalizedText(
        " To go back to this version, restore the copy '\($0)': sous docs upgrading.",
        de: " Zurück zu dieser Version führt die Kopie '\($0)': sous docs upgrading.")
    }
    return RunStoreError(
      .newerSchema,
      LocalizedText(
        """
        '\(path)' has schema version \(file), this Sous knows versions up to \(program). Update Sous, or choose \
        another place with --state.\(back?.english ?? "")
        """,
        de: """
          '\(path)' hat die Schemaversion \(file), dieses Sous kennt Versionen bis \(program). Sous aktualisieren oder \
          mit --state einen anderen Ort wählen.\(back?.german ?? "")
          """),
      path: path)
  }

  /// A run log of a newer version was met while it was open: another program has changed its schema.
  static func schemaChanged(path: String, file: Int, program: Int) -> RunStoreError {
    RunStoreError(
      .newerSchema,
      LocalizedText(
        """
        Another version of Sous has brought '\(path)' from schema version \(program) to \(file). This process ends; start \
        the new version, which resumes the runs.
        """,
        de: """
          Eine andere Version von Sous hat '\(path)' von Schemaversion \(program) auf \(file) gebracht. Dieser Prozess endet; \
          die neue Version setzt die Läufe fort, sobald sie gestartet ist.
          """),
      path: path)
  }

  static func outdatedSchema(path: String, file: Int, program: Int) -> RunStoreError {
    RunStoreError(
      .outdatedSchema,
      LocalizedText(
        """
        '\(path)' has schema version \(file) and must be brought to version \(program), but may not be written. Run \
        the command once as a user who may write the file.
        """,
        de: """
          '\(path)' hat die Schemaversion \(file) und muss auf Version \(program) gebracht werden, darf aber nicht \
          geschrieben werden. Den Befehl einmal mit Schreibrecht auf die Datei ausführen.
          """),
      path: path)
  }

  static func obsoleteSchema(path: String, file: Int, program: Int) -> RunStoreError {
    RunStoreError(
      .outdatedSchema,
      LocalizedText(
        """
        '\(path)' has schema version \(file), which this Sous (version \(program)) does not read any more. Finish its \
        runs with the Sous that wrote it, then move the file away; a new run log is then created.
        """,
        de: """
          '\(path)' hat die Schemaversion \(file), die dieses Sous (Version \(program)) nicht mehr liest. Die Läufe mit \
          dem Sous beenden, das sie geschrieben hat, und die Datei dann verschieben; danach entsteht ein neues \
          Laufprotokoll.
          """),
      path: path)
  }

  static func readOnly(path: String, cause: String? = nil) -> RunStoreError {
    RunStoreError(
      .readOnly,
      LocalizedText(
        "'\(path)' may not be written. Give yourself write permission for it and its folder, or use --state.",
        de: "'\(path)' darf nicht geschrieben werden. Schreibrecht für Datei und Ordner geben oder --state benutzen."),
      path: path, cause: cause)
  }

  static func diskFull(path: String, cause: String? = nil) -> RunStoreError {
    RunStoreError(
      .diskFull,
      LocalizedText(
        "No room is left to write '\(path)'. Free some space and resume the run; what was recorded before is intact.",
        de: """
          Für '\(path)' ist kein Platz mehr. Platz schaffen und den Lauf fortsetzen; was zuvor aufgezeichnet wurde, \
          ist unversehrt.
          """),
      path: path, cause: cause)
  }

  static func locked(path: String, cause: String? = nil) -> RunStoreError {
    RunStoreError(
      .locked,
      LocalizedText(
        """
        Another process has kept '\(path)' locked for too long. Find it with 'fuser \(path)', end it or wait, then \
        try again.
        """,
        de: """
          Ein anderer Prozess hält '\(path)' zu lange gesperrt. Ihn mit 'fuser \(path)' suchen, beenden oder abwarten \
          und erneut versuchen.
          """),
      path: path, cause: cause)
  }

  static func folderNotCreatable(path: String, code: Int32) -> RunStoreError {
    let cause = LocalizedText.systemError(code)
    return RunStoreError(
      .folderNotCreatable,
      LocalizedText("The folder '\(path)' cannot be created: ", de: "Der Ordner '\(path)' lässt sich nicht anlegen: ")
        + cause
        + LocalizedText(
          ". Create it, or choose another place with --state.", de: ". Ihn anlegen oder mit --state anderswohin gehen."),
      path: path, cause: cause.english)
  }

  static func missing(path: String) -> RunStoreError {
    RunStoreError(
      .missing,
      LocalizedText(
        "There is no run log at '\(path)' yet. It is created by the first run.",
        de: "Unter '\(path)' gibt es noch kein Laufprotokoll. Der erste Lauf legt es an."),
      path: path)
  }

  static func notReadable(path: String, cause: String?) -> RunStoreError {
    RunStoreError(
      .notReadable,
      LocalizedText(
        "'\(path)' cannot be opened. It must be a regular file that you may read, in a folder that you may enter.",
        de:
          "'\(path)' lässt sich nicht öffnen. Es muss eine lesbare gewöhnliche Datei in einem zugänglichen Ordner sein."
      ),
      path: path, cause: cause)
  }

  /// What the operating system says of a file that could not be opened or made.
  static func notOpened(_ path: String, _ code: Int32) -> RunStoreError {
    let cause = String(cString: strerror(code))
    switch code {
    case EACCES, EPERM, EROFS: return .readOnly(path: path, cause: cause)
    case ENOSPC, EDQUOT: return .diskFull(path: path, cause: cause)
    default: return .notReadable(path: path, cause: cause)
    }
  }

  static func replaced(path: String) -> RunStoreError {
    RunStoreError(
      .replaced,
      LocalizedText(
        """
        The run log '\(path)' was deleted or replaced while this process worked with it. What it has recorded since is \
        lost, so it starts nothing more. Put the file back together with '\(path)-wal', or begin a new one.
        """,
        de: """
          Das Laufprotokoll '\(path)' wurde gelöscht oder ersetzt, während dieser Prozess damit arbeitete. Was er seither \
          aufgezeichnet hat, ist verloren; er beginnt nichts mehr. Die Datei samt '\(path)-wal' zurücklegen oder neu \
          beginnen.
          """),
      path: path)
  }

  static func predecessor(path: String, lock: String) -> RunStoreError {
    RunStoreError(
      .predecessor,
      LocalizedText(
        """
        There is no run log at '\(path)' any more, but a process that works with it is still running: a new one would \
        let things happen twice. Find the process with 'fuser \(lock)', stop it and try again, or put the file back.
        """,
        de: """
          Unter '\(path)' gibt es kein Laufprotokoll mehr, aber ein Prozess, der damit arbeitet, läuft noch: mit einem \
          neuen geschähe manches zweimal. Den Prozess mit 'fuser \(lock)' suchen, beenden und erneut versuchen oder die \
          Datei zurücklegen.
          """),
      path: path)
  }

  static func emptied(path: String) -> RunStoreError {
    RunStoreError(
      .emptied,
      LocalizedText(
        """
        '\(path)' is empty or missing, but its last entries are still in '\(path)-wal'. Put a backup in its place and \
        move the -wal file away; to begin with a new run log, move both away.
        """,
        de: """
          '\(path)' ist leer oder fehlt, aber die letzten Einträge stehen noch in '\(path)-wal'. Eine Sicherung an ihre \
          Stelle setzen und die -wal-Datei verschieben; um neu zu beginnen, beide verschieben.
          """),
      path: path)
  }

  static func unfinishedLog(path: String) -> RunStoreError {
    RunStoreError(
      .notReadable,
      LocalizedText(
        """
        '\(path)' cannot be read without write permission for its folder: its last entries are still in \
        '\(path)-wal'. Copy both files to a folder that you may write and name it with --state.
        """,
        de: """
          '\(path)' lässt sich ohne Schreibrecht auf seinen Ordner nicht lesen: die letzten Einträge stehen noch in \
          '\(path)-wal'. Beide Dateien in einen beschreibbaren Ordner kopieren und ihn mit --state nennen.
          """),
      path: path)
  }

  static func damaged(path: String, cause: String? = nil) -> RunStoreError {
    RunStoreError(
      .damaged,
      LocalizedText(
        """
        '\(path)' is damaged. Put a backup in its place, or save what can be read with \
        'sqlite3 \(path) .recover'.
        """,
        de: """
          '\(path)' ist beschädigt. Eine Sicherung an ihre Stelle setzen oder das Lesbare mit \
          'sqlite3 \(path) .recover' retten.
          """),
      path: path, cause: cause)
  }

  static func io(path: String, cause: String?) -> RunStoreError {
    RunStoreError(
      .io,
      LocalizedText(
        "'\(path)' could not be read or written. Check the disk and the system log.",
        de: "'\(path)' ließ sich nicht lesen oder schreiben. Den Datenträger und das Systemprotokoll prüfen."),
      path: path, cause: cause)
  }

  static func entryRefused(path: String, cause: String?) -> RunStoreError {
    RunStoreError(
      .entryRefused,
      LocalizedText(
        "The run log '\(path)' refused an entry that contradicts what it holds. Please report this as a defect.",
        de: """
          Das Laufprotokoll '\(path)' hat einen Eintrag abgelehnt, der seinem Inhalt widerspricht. Bitte als Fehler \
          melden.
          """),
      path: path, cause: cause)
  }

  static func closed(path: String, cause: String? = nil) -> RunStoreError {
    RunStoreError(
      .closed,
      LocalizedText(
        "The run log '\(path)' has been closed.", de: "Das Laufprotokoll '\(path)' ist bereits geschlossen."),
      path: path, cause: cause)
  }

  static func unexpected(path: String, cause: String) -> RunStoreError {
    RunStoreError(
      .other,
      LocalizedText(
        "The run log '\(path)' reported an error: \(cause).",
        de: "Das Laufprotokoll '\(path)' meldet einen Fehler: \(cause)."),
      path: path, cause: cause)
  }

  static func runNotFound(_ reference: String) -> RunStoreError {
    RunStoreError(
      .runNotFound,
      LocalizedText(
        "There is no run '\(reference)', and no recipe of this name has run. 'sous runs' lists the runs.",
        de:
          "Es gibt keinen Lauf '\(reference)', und kein Rezept dieses Namens ist gelaufen. 'sous runs' zählt die Läufe "
          + "auf."))
  }

  static func noRuns() -> RunStoreError {
    RunStoreError(
      .runNotFound,
      LocalizedText(
        "Nothing has run yet. Start a recipe with 'sous run'.",
        de: "Bisher ist nichts gelaufen. Ein Rezept mit 'sous run' starten."))
  }

  static func ambiguousRun(
    _ reference: String, candidates: [(id: String, recipe: String, status: String)]
  ) -> RunStoreError {
    let list = candidates.map { "\n  \($0.id)  \($0.recipe)  \($0.status)" }.joined()
    return RunStoreError(
      .ambiguousRun,
      LocalizedText(
        "'\(reference)' fits several runs; give more characters:\(list)",
        de: "'\(reference)' passt auf mehrere Läufe; mehr Zeichen angeben:\(list)"),
      candidates: candidates.map { RunID(rawValue: $0.id) })
  }

  static func stepNotFound(_ step: String, run: RunID, steps: [String]) -> RunStoreError {
    let list = steps.joined(separator: ", ")
    return RunStoreError(
      .stepNotFound,
      LocalizedText(
        "Run \(run) has no step '\(step)'. Its steps are: \(list).",
        de: "Lauf \(run) hat keinen Schritt '\(step)'. Seine Schritte sind: \(list)."))
  }

  static func outputNotFound(_ step: String, item: Int?, run: RunID) -> RunStoreError {
    let (place, stelle) = item.map { (" for item \($0)", " für das Element \($0)") } ?? ("", "")
    return RunStoreError(
      .outputNotFound,
      LocalizedText(
        "Step '\(step)' of run \(run) has no output\(place). 'sous show \(run)' tells how it ended.",
        de: "Schritt '\(step)' von Lauf \(run) hat\(stelle) keine Ausgabe. 'sous show \(run)' sagt, wie er endete."))
  }

  static func destinationExists(path: String) -> RunStoreError {
    RunStoreError(
      .destinationExists,
      LocalizedText(
        "'\(path)' exists already. Name a file that does not exist.",
        de: "'\(path)' gibt es schon. Eine Datei nennen, die es noch nicht gibt."),
      path: path)
  }

  static func destinationInUse(path: String) -> RunStoreError {
    RunStoreError(
      .destinationInUse,
      LocalizedText(
        "'\(path)' belongs to a run log that is in use. Name another file.",
        de: "'\(path)' gehört zu einem Laufprotokoll, das gebraucht wird. Eine andere Datei nennen."),
      path: path)
  }

  static func copied(path: String, from original: String, isElsewhere: Bool, _ runs: Int) -> RunStoreError {
    let (machine, maschine) = isElsewhere ? (" of another machine", " einer anderen Maschine") : ("", "")
    let unfinished = LocalizedText.count(
      runs, "unfinished run", "unfinished runs", de: "unfertigen Lauf", "unfertigen Läufen")
    return RunStoreError(
      .copied,
      LocalizedText(
        """
        '\(path)' is a copy of the run log '\(original)'\(machine), with \(unfinished.english): if they went on \
        in both, things would happen twice. Does it take the original's place, say so with 'sous db adopt'; to begin \
        with an empty one, remove it.
        """,
        de: """
          '\(path)' ist eine Kopie des Laufprotokolls '\(original)'\(maschine) mit \(unfinished.german): \
          gingen sie in beiden weiter, geschähe manches zweimal. Tritt sie an die Stelle des Originals, das mit \
          'sous db adopt' sagen; um leer zu beginnen, sie entfernen.
          """),
      path: path)
  }

  static func processLost(path: String) -> RunStoreError {
    RunStoreError(
      .processLost,
      LocalizedText(
        "This process gave no sign of life for so long that others have taken its runs over. Start it again.",
        de: "Dieser Prozess gab so lange kein Lebenszeichen, dass andere seine Läufe übernommen haben. Neu starten."),
      path: path)
  }

  static func waitNotFound(_ run: RunID, step: String?) -> RunStoreError {
    let (place, stelle) = step.map { (" in step '\($0)'", " in Schritt '\($0)'") } ?? ("", "")
    return RunStoreError(
      .waitNotFound,
      LocalizedText(
        "Run \(run) waits for no decision\(place). 'sous show \(run)' tells where it stands.",
        de: "Lauf \(run) wartet\(stelle) auf keine Entscheidung. 'sous show \(run)' sagt, wo er steht."))
  }

  static func waitIsOver(_ run: RunID, until: String) -> RunStoreError {
    RunStoreError(
      .waitNotFound,
      LocalizedText(
        "Run \(run) waited for that decision until \(until); it comes too late. 'sous show \(run)' tells where the run stands.",
        de: "Lauf \(run) hat bis \(until) auf diese Entscheidung gewartet; sie kommt zu spät. "
          + "'sous show \(run)' sagt, wo der Lauf steht."))
  }

  static func waitAmbiguous(_ run: RunID, steps: [String]) -> RunStoreError {
    let list = steps.joined(separator: ", ")
    return RunStoreError(
      .waitAmbiguous,
      LocalizedText(
        "Run \(run) waits for several decisions: \(list). Name the step, and the item of a loop.",
        de: "Lauf \(run) wartet auf mehrere Entscheidungen: \(list). Den Schritt und das Element nennen."))
  }

  static func doubtNotFound(_ run: RunID, step: String) -> RunStoreError {
    RunStoreError(
      .doubtNotFound,
      LocalizedText(
        "Step '\(step)' of run \(run) is not in doubt, or not any more. 'sous show \(run)' tells where the run stands.",
        de: """
          Schritt '\(step)' von Lauf \(run) ist nicht oder nicht mehr fraglich. 'sous show \(run)' sagt, wo der Lauf \
          steht.
          """))
  }
}
