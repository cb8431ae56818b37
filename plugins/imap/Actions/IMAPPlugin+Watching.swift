import MailWire
import PluginKit

extension IMAPPlugin {
  /// `mail.new`.
  @ActionListBuilder<IMAPPlugin> static var watching: ActionList<IMAPPlugin> {
    Trigger(
      "mail.new", summary: "New mail in a folder", summaryGerman: "Neue Mail in einem Ordner",
      settings: StoreInput.Watch.self, event: JSONObject.self, announcesWatching: true
    ) { plugin, settings, cursor, emitter in
      let fields = try MessageFields(settings.fields, headers: settings.headers)
      let folder = settings.folder ?? "INBOX"
      try FolderNaming.check(folder)
      let watch = Watch(account: plugin.account, folder: folder, fields: fields, emitter: emitter)
      try await watch.run(from: cursor)
    }
  }
}
