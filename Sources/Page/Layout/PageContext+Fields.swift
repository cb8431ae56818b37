import Expressions

/// Fields of forms that the page's script sends to the API.
extension PageContext {
  /// A field's name, label and help.
  struct Field {
    /// The member of the body.
    let name: String
    /// The label.
    let title: String
    /// How the script reads it: a kind of ``SchemaForm``, `words` for a list with commas, `upload` for files.
    var kind = "text"
    /// The value at the beginning.
    var value = ""
    /// A sentence below it.
    var help = ""
    /// Whether it must be filled in.
    var isRequired = false
    /// The JSON that an empty field is sent as; `nil` if it is left out.
    var empty: String?
    /// Whether browsers send it without a script too.
    var isPosted = false

    init(
      _ name: String, _ title: String, kind: String = "text", value: String = "", help: String = "",
      isRequired: Bool = false, empty: String? = nil, isPosted: Bool = false
    ) {
      (self.name, self.title, self.kind, self.value, self.help) = (name, title, kind, value, help)
      (self.isRequired, self.empty, self.isPosted) = (isRequired, empty, isPosted)
    }
  }

  /// An input of one line, or one for a file, a time or a number.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of its id.
  ///   - type: The type of the input.
  func input(_ field: Field, prefix: String, type: String = "text", _ more: Attribute...) -> HTML {
    var field = field
    if type == "datetime-local" {
      field.value = fieldTime(field.value)
      field.help += (field.help.isEmpty ? "" : " ") + zoneHelp
    }
    return wrapped(field, prefix) { common in
      var attributes = [.with(.type, type)] + common + more
      if type != "file" { attributes.append(.with(.value, field.value)) }
      return .element(.input, attributes, [])
    }
  }

  /// An input of several lines.
  func area(_ field: Field, prefix: String, rows: Int, _ more: Attribute...) -> HTML {
    wrapped(field, prefix) { common in
      .element(.textarea, common + [.with(.rows, "\(rows)")] + more, [.text(field.value)])
    }
  }

  /// A choice; an option without a value means that nothing is chosen.
  ///
  /// - Parameter options: The values and their titles.
  func choice(_ field: Field, prefix: String, _ options: [(value: String, title: String)]) -> HTML {
    wrapped(field, prefix) { common in
      .element(
        .select, common,
        options.map { option in
          .element(
            .option,
            [.with(.value, option.value)] + (option.value == field.value ? [.flag(.selected)] : []),
            [.text(option.title)])
        })
    }
  }

  private func wrapped(_ field: Field, _ prefix: String, _ control: ([Attribute]) -> HTML) -> HTML {
    let id = prefix + "-" + field.name
    var common: [Attribute] = [.id(id), .data("field", field.name), .data("kind", field.kind)]
    if field.isPosted { common.append(.with(.name, field.name)) }
    if !field.help.isEmpty { common.append(.aria("describedby", id + "-help")) }
    if field.isRequired { common.append(.flag(.required)) }
    if let empty = field.empty { common.append(.data("empty", empty)) }
    return tag(.div, .class("field")) {
      tag(.label, .with(.forID, id)) {
        field.title
        if field.isRequired {
          tag(.span, .class("star"), .aria("hidden", "true"), text: " *")
          tag(.span, .class("hidden"), text: say(" (required)", de: " (nötig)"))
        }
      }
      control(common)
      if !field.help.isEmpty { tag(.p, .class("help"), .id(id + "-help"), text: field.help) }
    }
  }

  /// The buttons at the end of a form.
  func buttons(_ title: String, back: String? = nil) -> HTML {
    tag(.div, .class("buttons")) {
      tag(.button, .class("primary"), .with(.type, "submit"), text: title)
      if let back { tag(.a, .class("button quiet"), .href(back), text: say("Back", de: "Zurück")) }
    }
  }

  /// Small words beside each other, such as tags.
  func chips(_ words: [(title: String, address: String)]) -> HTML {
    guard !words.isEmpty else { return .empty }
    return tag(.ul, .class("chips")) {
      for word in words { tag(.li) { tag(.a, .class("chip"), .href(word.address), text: word.title) } }
    }
  }

  /// A fact and its name.
  func fact(_ name: String, _ value: HTML) -> HTML {
    tag(.span, .class("fact")) {
      tag(.span, .class("faint"), text: name + " ")
      value
    }
  }

  /// An option of a filter.
  func option(_ value: String, _ title: String, chosen: String) -> HTML {
    .element(.option, [.with(.value, value)] + (value == chosen ? [.flag(.selected)] : []), [.text(title)])
  }
}
