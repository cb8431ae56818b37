import Access
package import Expressions
package import Localization

/// Conversations with models: the list of them, one of them, and the form for the next question.
package struct ChatPage: PageView {
  /// The fields of the form at the beginning.
  package struct Draft: Sendable {
    /// The question.
    package var text = ""
    /// The provider.
    package var provider = ""
    /// The model.
    package var model = ""
    /// The preset.
    package var preset = ""

    /// Creates an empty draft.
    package init() {}
  }

  private let conversations: [Value]
  private let chat: Value
  private let choices: Value
  private let search: String
  /// The fields of the form at the beginning.
  package var draft = Draft()
  /// Why the question was not answered.
  package var problem: LocalizedText?
  /// The key of the form, by which the server recognises a form that is sent twice; empty for none.
  package var key = ""
  /// An answer that is not kept, as `ChatAnswer`.
  package var answer: Value = .null
  /// The id of the answer that is being made, and its question.
  package var current: (id: String, question: String)?

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - conversations: The list of conversations.
  ///   - chat: The conversation that is shown, with its turns; null for a new one.
  ///   - choices: The providers and presets.
  ///   - search: The words of the list's filter.
  package init(_ conversations: Value, chat: Value, choices: Value, search: String) {
    (self.conversations, self.chat, self.choices, self.search) = (conversations.items, chat, choices, search)
  }

  private var isNew: Bool { chat == .null }
  private var number: Int { chat.number("chat") }
  private var path: String { isNew ? "/chat" : "/chat/\(number)" }

  package var scripts: [String] { ["chat.js"] }
  package var needsScripts: Bool { false }

  package func title(_ context: PageContext) -> String {
    let title = chat.text("title")
    return isNew ? "Chat" : title.isEmpty ? context.say("Conversation", de: "Gespräch") + " \(number)" : title
  }

  package func actions(_ context: PageContext) -> HTML {
    guard !isNew else { return .empty }
    return tag(.div, .class("buttons")) {
      if context.may(.create, .conversations) {
        tag(.a, .class("button"), .href("/chat"), text: context.say("New conversation", de: "Neues Gespräch"))
      }
      if context.may(.delete, .conversations) {
        context.button(
          context.say("Delete", de: "Löschen"), "DELETE /conversations/\(number)", then: "go /chat",
          confirm: context.say("Delete this conversation?", de: "Dieses Gespräch löschen?"), style: "danger")
      }
    }
  }

  package func contents(_ context: PageContext) -> HTML {
    tag(.div, .class("columns chat")) {
      tag(.div) {
        tag(.div, .id("turns")) { turns(context) }
        current(context)
        if context.may(isNew ? .create : .update, .conversations) {
          if providers.isEmpty { unconfigured(context) } else { form(context) }
        } else {
          context.empty(context.say("Your roles let you read only.", de: "Die eigenen Rollen erlauben nur das Lesen."))
        }
      }
      tag(.div, .id("chats")) { list(context) }
    }
  }

  // MARK: - The turns

  private func turns(_ context: PageContext) -> HTML {
    let turns = chat["turns"]?.listValue ?? []
    return .group([
      chat.text("system").isEmpty
        ? .empty
        : tag(.details, .class("block")) {
          tag(.summary, text: context.say("Instructions", de: "Anweisungen"))
          tag(.div, .class("prose card"), text: chat.text("system"))
        },
      turns.isEmpty ? .empty : tag(.ol, .class("turns")) { for turn in turns { self.turn(turn, context) } },
    ])
  }

  private func turn(_ turn: Value, _ context: PageContext) -> HTML {
    let isAnswer = turn.text("role") == "assistant"
    return tag(.li, .class(isAnswer ? "turn answer" : "turn question")) {
      tag(.div, .class("faint")) {
        tag(.strong, text: isAnswer ? speaker(turn, context) : context.say("You", de: "Sie"))
        " · "
        context.time(turn["at"], isRelative: true)
        if turn["cut"]?.boolValue ?? false {
          tag(.span, .class("badge"), text: context.say("incomplete", de: "unvollständig"))
        }
      }
      words(turn.text("text"), isAnswer: isAnswer)
      for file in (turn["files"]?.listValue ?? []).compactMap(\.stringValue) {
        tag(.span, .class("chip"), text: file)
      }
    }
  }

  private func speaker(_ turn: Value, _ context: PageContext) -> String {
    let (provider, model) = (turn.text("provider"), turn.text("model"))
    if provider.isEmpty { return context.say("Answer", de: "Antwort") }
    return model.isEmpty || provider.hasSuffix(model) ? provider : provider + " · " + model
  }

  private func words(_ text: String, isAnswer: Bool) -> HTML {
    isAnswer
      ? tag(.div, .class("markdown")) { MarkdownText(text).html } : tag(.div, .class("prose"), text: text)
  }

  /// The answer that is being made, which the page's script writes; without scripts, an answer that is not kept.
  private func current(_ context: PageContext) -> HTML {
    .group([
      HTML.element(
        .div,
        [.id("current"), .class("turns")] + (answer == .null ? [.flag(.hidden)] : []),
        [
          tag(.div, .class("turn question"), .id("current-question"), .flag(.hidden)) {
            tag(.div, .class("faint")) { tag(.strong, text: context.say("You", de: "Sie")) }
            tag(.div, .class("prose"), .id("current-question-text"))
          },
          tag(.div, .class("turn answer")) {
            tag(.div, .class("faint")) { tag(.strong, .id("current-provider"), text: answer.text("provider")) }
            tag(.ul, .id("current-notices"), .class("reason"))
            tag(.div, .class("prose"), .id("current-text"), text: answer.text("text"))
          },
        ]),
      tag(
        .p, .id("answer-state"), .class("faint"), .role("status"),
        text: answer == .null
          ? "" : context.say("This conversation is not kept.", de: "Dieses Gespräch wird nicht aufgehoben.")),
      current == nil
        ? .empty
        : tag(.noscript) {
          tag(
            .p, .class("note"),
            text: context.say(
              "An answer is being written. Load the page again to see it.",
              de: "Eine Antwort entsteht. Die Seite neu laden, um sie zu sehen."))
        },
    ])
  }

  // MARK: - The form

  private func form(_ context: PageContext) -> HTML {
    tag(
      .form, .id("ask"), .class("card"), .with(.method, "post"), .action(path), .data("chat", isNew ? "" : "\(number)"),
      .data("answer", current?.id ?? ""), .data("question", current?.question ?? ""),
      .data("writing", context.say("The answer is being written …", de: "Die Antwort entsteht …")),
      .data("thinking", context.say("The model thinks …", de: "Das Modell denkt nach …")),
      .data("stopped", context.say("Stopped.", de: "Angehalten.")),
      .data("complete", context.say("The answer is complete.", de: "Die Antwort ist vollständig.")),
      .data("unkept", context.say("This conversation is not kept.", de: "Dieses Gespräch wird nicht aufgehoben."))
    ) {
      if let token = context.csrfToken {
        tag(.input, .with(.type, "hidden"), .with(.name, "csrf_token"), .with(.value, token))
      }
      if !key.isEmpty { tag(.input, .with(.type, "hidden"), .with(.name, "key"), .with(.value, key)) }
      context.area(
        .init(
          "text", isNew ? context.say("Question", de: "Frage") : context.say("Next question", de: "Nächste Frage"),
          value: draft.text, help: context.say("Ctrl+Enter sends.", de: "Strg+Eingabe sendet."), isPosted: true),
        prefix: "ask", rows: isNew ? 5 : 3)
      tag(.div, .class("field scripted-only")) {
        tag(.label, .with(.forID, "ask-files"), text: context.say("Files", de: "Dateien"))
        tag(
          .input, .id("ask-files"), .with(.type, "file"), .flag(.multiple), .aria("describedby", "ask-files-help"))
        tag(
          .p, .class("help"), .id("ask-files-help"),
          text: context.say(
            "Texts, Markdown, HTML, messages, PDF, pictures.", de: "Texte, Markdown, HTML, Nachrichten, PDF, Bilder."))
      }
      options(context)
      if let problem {
        tag(.p, .class("problem"), .role("alert"), text: problem.string(in: context.language))
      } else {
        tag(.p, .class("problem"), .role("alert"), .flag(.hidden))
      }
      tag(.div, .class("buttons"), .id("end")) {
        tag(.button, .id("ask-send"), .class("primary"), .with(.type, "submit"), text: context.say("Ask", de: "Fragen"))
        tag(
          .button, .id("ask-stop"), .with(.type, "button"), .flag(.hidden), text: context.say("Stop", de: "Anhalten"))
      }
    }
  }

  /// The providers with a language model.
  private var providers: [String] { (choices["providers"]?.listValue ?? []).map { $0.text("name") } }

  /// The remedy if no provider has a language model.
  private func unconfigured(_ context: PageContext) -> HTML {
    tag(.div, .class("empty"), .id("unconfigured")) {
      tag(
        .p,
        text: context.say(
          "No configured provider has a language model, and a chat needs one. Add one to sous.yaml:",
          de: "Kein eingerichteter Provider hat ein Sprachmodell; der Chat braucht eines. In sous.yaml ergänzen:"))
      tag(.pre, .class("value"), text: "providers:\n  local: { plugin: ollama }\ndefaults:\n  chat: local")
      tag(
        .p,
        text: context.say(
          "The plugins ollama, openai and mistral offer language models.",
          de: "Die Plugins ollama, openai und mistral bieten Sprachmodelle."))
    }
  }

  private func options(_ context: PageContext) -> HTML {
    let presets = choices["presets"]?.listValue ?? []
    let isOpen = !draft.provider.isEmpty || !draft.model.isEmpty || !draft.preset.isEmpty
    return .element(
      .details, [.class("field")] + (isOpen ? [.flag(.open)] : []),
      [
        tag(.summary, text: context.say("Provider, model, preset …", de: "Provider, Modell, Preset …")),
        context.choice(
          .init("provider", "Provider", value: draft.provider, isPosted: true), prefix: "ask",
          [("", first(context))] + providers.map { ($0, $0) }),
        context.input(
          .init(
            "model", context.say("Model", de: "Modell"), value: draft.model,
            help: context.say("Empty: that of the provider.", de: "Leer: das des Providers."), isPosted: true),
          prefix: "ask", .with(.list, "models"), .with(.maxlength, "300"), .with(.spellcheck, "false"),
          .with(.autocapitalize, "none")),
        tag(.datalist, .id("models")),
        presets.isEmpty
          ? .empty
          : context.choice(
            .init("preset", "Preset", value: draft.preset, isPosted: true), prefix: "ask",
            [("", presetDefault(context))]
              + presets.map { ($0.text("name"), $0.text("title") + " (" + $0.text("name") + ")") }),
        isNew
          ? .group([
            context.area(
              .init(
                "system", context.say("Instructions", de: "Anweisungen"),
                help: context.say("In place of a preset.", de: "Anstelle eines Presets."), isPosted: true),
              prefix: "ask", rows: 3),
            tag(.div, .class("field check")) {
              tag(.input, .id("ask-private"), .with(.type, "checkbox"), .with(.name, "private"), .with(.value, "yes"))
              tag(
                .label, .with(.forID, "ask-private"),
                text: context.say("Keep nothing of this conversation", de: "Dieses Gespräch nicht speichern"))
            },
          ]) : .empty,
      ])
  }

  private func first(_ context: PageContext) -> String {
    if !isNew { return context.say("that of this conversation", de: "der dieses Gesprächs") }
    let name = choices.text("default")
    return name.isEmpty
      ? context.say("choose one", de: "einen wählen") : context.say("default: ", de: "Vorgabe: ") + name
  }

  private func presetDefault(_ context: PageContext) -> String {
    let name = choices.text("default_preset")
    return !isNew || name.isEmpty ? context.say("none", de: "keines") : context.say("default: ", de: "Vorgabe: ") + name
  }

  // MARK: - The list

  private func list(_ context: PageContext) -> HTML {
    context.section(context.say("Conversations", de: "Gespräche")) {
      tag(.form, .class("filter"), .with(.method, "get"), .action("/chat"), .role("search")) {
        tag(.div, .class("field grow")) {
          tag(.label, .with(.forID, "search"), text: context.say("Words", de: "Wörter"))
          tag(
            .input, .id("search"), .with(.type, "search"), .with(.name, "search"), .with(.value, search),
            .with(.maxlength, "500"))
        }
        tag(.button, .with(.type, "submit"), text: context.say("Search", de: "Suchen"))
      }
      if conversations.isEmpty {
        context.empty(
          search.isEmpty
            ? context.say("No conversation yet.", de: "Noch kein Gespräch.")
            : context.say("No conversation has these words.", de: "Kein Gespräch hat diese Wörter."))
      } else {
        tag(.ul, .class("list small")) {
          for one in conversations {
            tag(.li) {
              HTML.element(
                .a,
                [.href("/chat/\(one.number("chat"))")]
                  + (!isNew && one.number("chat") == number ? [.aria("current", "page")] : []),
                [
                  .text(
                    one.text("title").isEmpty
                      ? context.say("Conversation", de: "Gespräch") + " \(one.number("chat"))" : one.text("title"))
                ])
              context.time(one["changed_at"], isRelative: true)
            }
          }
        }
      }
    }
  }
}
