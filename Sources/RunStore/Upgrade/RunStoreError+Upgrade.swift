internal import Localization

extension RunStoreError {
  static func schemaInUse(
    path: String, file: Int, program: Int, users: [RunLogUser], lock: String
  ) -> RunStoreError {
    let names = users.map { user in
      let kind = user.isServer ? "sous serve" : "sous"
      let place = user.host.map { " of '\($0)'" } ?? ""
      return LocalizedText(
        "process \(user.pid)\(place) (\(kind)): \(user.stop)",
        de: "Prozess \(user.pid)\(user.host.map { " auf '\($0)'" } ?? "") (\(kind)): \(user.stop)")
    }
    let list = LocalizedText(
      names.isEmpty ? "fuser \(lock)" : names.map(\.english).joined(separator: "; "),
      de: names.isEmpty ? "fuser \(lock)" : names.map(\.german).joined(separator: "; "))
    return RunStoreError(
      .schemaInUse,
      LocalizedText(
        """
        '\(path)' has the schema version \(file) of an older Sous and must be brought to version \(program), but a process \
        of the older version still works with it. Stop it (it ends or suspends its steps, and the new version resumes the \
        runs), or let 'sous db migrate --stop' do that: \(list.english)
        """,
        de: """
          '\(path)' hat die Schemaversion \(file) eines älteren Sous und muss auf Version \(program) gebracht werden, aber ein \
          Prozess der älteren Version arbeitet noch damit. Er ist zu beenden (er beendet oder unterbricht seine Schritte, und \
          die neue Version setzt die Läufe fort); das kann auch 'sous db migrate --stop': \(list.german)
          """),
      path: path)
  }

  static func noRoomForCopy(path: String, copy: String, needed: Int, free: Int) -> RunStoreError {
    func megabytes(_ bytes: Int) -> Int { (bytes >> 20) + 1 }
    return RunStoreError(
      .noRoomForCopy,
      LocalizedText(
        """
        There is no room for '\(copy)', the copy of the run log '\(path)' that is made before its schema changes: it needs \
        \(megabytes(needed)) MiB, \(free >> 20) MiB are free. Free some space, or put the copy on another disk with \
        'sous db migrate --copy FILE'. 'sous db migrate --no-copy' makes none, and there is no way back then.
        """,
        de: """
          Für '\(copy)' ist kein Platz, die Kopie des Laufprotokolls '\(path)' vor der Änderung seines Schemas: nötig sind \
          \(megabytes(needed)) MiB, frei sind \(free >> 20) MiB. Platz schaffen oder die Kopie mit 'sous db migrate --copy \
          DATEI' auf einen anderen Datenträger legen. 'sous db migrate --no-copy' macht keine, dann gibt es keinen Rückweg.
          """),
      path: path)
  }
}
