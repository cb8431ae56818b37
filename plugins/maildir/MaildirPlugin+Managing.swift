import MailWire
import PluginKit

extension MaildirPlugin {
  /// `mail.folder`.
  @ActionListBuilder<MaildirPlugin> static var managing: ActionList<MaildirPlugin> {
    Action(
      "mail.folder", effect: .idempotent, summary: "Creates, renames, deletes or subscribes a folder",
      summaryGerman: "Legt einen Ordner an, benennt ihn um, löscht oder abonniert ihn",
      input: StoreInput.Folder.self, output: JSONValue.self, blocking: true
    ) { plugin, input, _ in
      try plugin.manage(input)
    }
  }

  private func manage(_ input: StoreInput.Folder) throws -> JSONValue {
    let name = try FolderName(input.folder)
    let changed = try withMaildir { maildir in
      switch input.operation {
      case .create:
        if try maildir.existingFolder(name) != nil { return false }
        _ = try maildir.makeFolder(name)
        return true
      case .rename:
        guard let to = input.to else {
          throw ActionError(
            .invalidInput, "'to' is missing: the new name of the folder.",
            german: "'to' fehlt: der neue Name des Ordners.")
        }
        return try maildir.rename(name, to: try FolderName(to))
      case .delete: return try maildir.delete(name)
      case .subscribe, .unsubscribe:
        return try maildir.subscribe(name, isWanted: input.operation == .subscribe)
      }
    }
    return ["changed": .bool(changed)]
  }
}
