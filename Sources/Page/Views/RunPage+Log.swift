import Expressions

/// Log, pieces of answers, inputs and outputs.
extension RunPage {
  func answer(_ context: PageContext) -> HTML {
    tag(.section, .class("block"), .id("answer"), .flag(.hidden)) {
      tag(.div, .class("heading")) { tag(.h2, text: context.say("Being written", de: "Entsteht gerade")) }
      tag(.pre, .class("value"), .id("answer-text"), .with(.tabindex, "0"))
    }
  }

  func log(_ context: PageContext) -> HTML {
    context.section(
      context.say("Log", de: "Protokoll"), id: "log-block",
      aside: tag(.span, .id("follow"), .class("faint"), .role("status"), text: "")
    ) {
      if hasMoreLines {
        tag(.p, .class("help")) {
          tag(
            .a, .href(PageContext.run(id) + "?log=all"),
            text: context.say("Show the whole log", de: "Das ganze Protokoll zeigen"))
        }
      }
      tag(
        .ol, .class("log"), .id("log"), .with(.tabindex, "0"),
        .data("last", lines.last.map { "\($0.number("id"))" } ?? "0"),
        .aria("label", context.say("Log", de: "Protokoll"))
      ) {
        for line in lines { Self.line(line) }
      }
      HTML.element(
        .p, [.class("empty"), .id("log-empty")] + (lines.isEmpty ? [] : [.flag(.hidden)]),
        [.text(context.say("No lines.", de: "Keine Zeilen."))])
    }
  }

  /// A line of the log; the page's script makes the same.
  static func line(_ line: Value) -> HTML {
    tag(.li, .class(PageContext.safeClass(line.text("level")))) {
      tag(
        .time, .with(.datetime, line.text("at")), .data("style", "clock"),
        text: String(line.text("at").dropFirst(11).prefix(8)))
      tag(.span, .class("place"), text: line.text("step"))
      tag(.span, .class("message"), text: line.text("message"))
    }
  }

  func values(_ context: PageContext) -> HTML {
    let children = run["children"]?.listValue ?? []
    return .group([
      context.section(context.say("Inputs", de: "Eingaben")) { context.value(run["inputs"]) },
      isOver ? context.section(context.say("Outputs", de: "Ausgaben")) { context.value(run["outputs"]) } : .empty,
      children.isEmpty
        ? .empty
        : context.section(context.say("Runs of other recipes", de: "Läufe anderer Rezepte")) {
          tag(.ul, .class("list")) {
            for child in children {
              tag(.li) {
                tag(.a, .href(PageContext.run(child.text("id"))), text: child.text("recipe"))
                context.status(child.text("status"))
              }
            }
          }
        },
    ])
  }
}
