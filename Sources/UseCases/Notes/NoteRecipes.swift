/// Recipes that commands of notes run.
enum NoteRecipes {
  /// Revises a text by a prompt of the catalog.
  static func revision(_ prompt: String, provider: String?) -> String {
    """
    name: note-revision
    inputs: { text: { type: string } }
    steps:
      - id: revised
        uses: chat.complete\(line(provider))
        with: { prompt: \(ReminderText.quoted(prompt)), input: "{{ inputs.text }}" }
    outputs: { text: "{{ steps.revised.output.text }}" }

    """
  }

  /// Keeps a message as a note: its subject as the title, its text, its attachments.
  static func fromMail(provider: String?, hasCategory: Bool) -> String {
    #"""
    name: note-from-mail
    inputs:
      folder: { type: string }
      uid: { type: string }
      tags: { type: array, items: { type: string }, default: [] }
      category: { type: string, default: "" }
    steps:
      - id: message
        uses: mail.fetch\#(line(provider))
        with:
          folder: "{{ inputs.folder }}"
          uid: "{{ inputs.uid }}"
          fields: [subject, text, message_id, attachments]
      - id: files
        for_each: "{{ steps.message.output.message.attachments.filter(a, !a.inline) }}"
        as: file
        uses: mail.attachment\#(line(provider))
        with: { folder: "{{ inputs.folder }}", uid: "{{ inputs.uid }}", part: "{{ file.part }}" }
      - id: note
        uses: note.save
        with:
          title: "{{ steps.message.output.message.subject }}"
          text: "{{ steps.message.output.message.text }}"
          source: "{{ steps.message.output.message.message_id == null ? inputs.folder + '/' + inputs.uid : 'mail ' + steps.message.output.message.message_id }}"
          attachments: "{{ steps.files.items.map(i, {'blob': i.output.blob, 'name': i.output.name == '' ? 'attachment' : i.output.name, 'type': i.output.type}) }}"
          tags: "{{ inputs.tags }}"\#(hasCategory ? "\n      category: \"{{ inputs.category }}\"" : "")
    outputs: { id: "{{ steps.note.output.id }}" }

    """#
  }

  private static func line(_ provider: String?) -> String {
    provider.map { "\n    provider: \(ReminderText.quoted($0))" } ?? ""
  }
}
