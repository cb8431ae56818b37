internal import Localization

extension RunStoreError {
  static func schemaInUse(
    path: String, file: Int, program: Int, users: [RunLogUser], lock: String
  ) -> RunStoreError {
    var names = users.map { user in
      let kind = user.isServer ? "sous serve" : "sous"
      guard let remedy = user.remedy else {
        let host = user.host ?? ""
        return LocalizedText(
          "process \(user.pid) of the machine or container '\(host)' (\(kind)): stop it there, if it still runs",
          de: "Prozess \(user.pid) des Rechners oder Containers '\(host)' (\(kind)): dort beenden, falls er noch läuft")
      }
      return LocalizedText(
        "process \(user.pid) (\(kind)): \(remedy)", de: "Prozess \(user.pid) (\(kind)): \(remedy)")
    }
    // A process that has not written yet is in no row.
    if !users.contains(where: { $0.host == nil }) { names.append(.init(verbatim: "fuser \(lock)")) }
    let list = LocalizedText(
      names.map(\.english).joined(separator: "; "), de: names.map(\.german).joined(separator: "; "))
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
          Prozess der älteren Version arbeitet noch damit. Bitte diesen Prozess beenden, selbst oder mit 'sous db migrate \
          --stop' (er beendet oder unterbricht seine Schritte, und die neue Version setzt die Läufe fort): \(list.german)
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
