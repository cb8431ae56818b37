/// The recipe that archives a message and brings it back; `workflows/snooze.yaml` is the same.
enum SnoozeRecipe {
  /// The recipe's name, by which its runs are known.
  static let name = "snooze"

  /// The recipe's text.
  ///
  /// - Parameter provider: Whose mailbox it is; `nil` for the default.
  static func text(provider: String?) -> String {
    guard let provider else { return text }
    return text.replacing(
      "\ninputs:\n", with: "\ndefaults: { mail.store: \(ReminderText.quoted(provider)) }\n\ninputs:\n")
  }

  static let text = #"""
    # yaml-language-server: $schema=../docs/schema/recipe.json
    name: snooze
    description: >-
      Archives a message and brings it back at a time, unread and flagged. 'sous mail snooze' runs it. / Archiviert eine Nachricht und
      bringt sie zu einer Zeit zurück, ungelesen und markiert. 'sous mail snooze' führt es aus.

    inputs:
      uid: { type: string, minLength: 1, description: The message / Die Nachricht }
      until: { type: string, format: date-time, description: When it comes back / Wann sie zurückkommt }
      folder: { type: string, default: INBOX, description: Where it is and comes back to / Wo sie ist und wieder hinkommt }

    steps:
      # Its Message-ID finds it again, whatever its name in the archive is by then.
      - id: message
        uses: mail.fetch
        with: { folder: "{{ inputs.folder }}", uid: "{{ inputs.uid }}", fields: [message_id, date, size, subject, from] }

      - id: known
        uses: assert
        with:
          condition: "{{ steps.message.output.message.message_id != null }}"
          message: The message has no Message-ID and could not be found again; it stays where it is

      # It starts no recipe when it comes back, also if this run is cancelled.
      - id: noted
        uses: mail.returned
        with: &returned { folder: "{{ inputs.folder }}", messages: ["{{ steps.message.output.message }}"] }

      # Where the run is cancelled or fails, the message comes back at once.
      - id: archive
        uses: mail.archive
        with: { folder: "{{ inputs.folder }}", uids: ["{{ inputs.uid }}"] }
        undo:
          uses: mail.move
          with: { folder: "{{ steps.archive.output.to }}", uids: "{{ steps.archive.output.uids }}", to: "{{ inputs.folder }}" }

      # After a crash nobody may know its name there.
      - id: archived
        uses: mail.search
        with: &archived
          folder: "{{ steps.archive.output.to }}"
          query: { header: { name: Message-ID, contains: "{{ steps.message.output.message.message_id }}" } }
          fields: [message_id]
        undo:
          uses: mail.move
          with:
            folder: "{{ steps.archive.output.to }}"
            uids: "{{ steps.archived.output.messages.map(m, m.uid) }}"
            to: "{{ inputs.folder }}"

      # 'sous mail wake' delivers the event.
      - id: asleep
        uses: wait_for
        with:
          event: wake
          key: "{{ run.id }}"
          timeout: "{{ timestamp(inputs.until) > now() ? timestamp(inputs.until) - now() : duration('0s') }}"
        on_error: continue

      - id: found
        uses: mail.search
        with: *archived

      - id: there
        uses: assert
        with:
          condition: "{{ size(steps.found.output.messages) > 0 }}"
          message: The message is not in the archive any more; nothing was brought back

      - id: returns
        uses: mail.returned
        with: *returned

      - id: back
        uses: mail.move
        with:
          folder: "{{ steps.archive.output.to }}"
          uids: "{{ steps.found.output.messages.map(m, m.uid) }}"
          to: "{{ inputs.folder }}"

      - id: marked
        uses: mail.flag
        with:
          folder: "{{ inputs.folder }}"
          uids: "{{ steps.back.output.uids }}"
          add: ["\\Flagged"]
          remove: ["\\Seen"]

      # That it cannot be told is no reason to take the message away again.
      - id: tell
        uses: notify.send
        with:
          title: "Back in {{ inputs.folder }}"
          text: "{{ steps.message.output.message.from.name }}: {{ steps.message.output.message.subject }}"
          key: "{{ run.id }}"
        on_error: continue

    outputs:
      subject: "{{ steps.message.output.message.subject }}"
      uids: "{{ steps.back.output.uids }}"

    """#
}
