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
        for line in lines { Self.line(line, context) }
      }
      HTML.element(
        .p, [.class("empty"), .id("log-empty")] + (lines.isEmpty ? [] : [.flag(.hidden)]),
        [.text(context.say("No lines.", de: "Keine Zeilen."))])
    }
  }

  /// A line of the log; the page's script makes the same.
  static func line(_ line: Value, _ context: PageContext) -> HTML {
    tag(.li, .class(PageContext.safeClass(line.text("level")))) {
      context.clock(line.text("at"))
      tag(.span, .class("place"), text: place(of: line))
      tag(.span, .class("message"), text: line.text("message"))
    }
  }

  /// The step of a line. A line of a loop, a block or another recipe has the steps around it in front, with the number of the
  /// item: `each [2] › send`.
  static func place(of line: Value) -> String {
    let own = line.text("step")
    let steps = (line["within"]?.listValue ?? []) + (own.isEmpty ? [] : [line])
    return steps.map { $0.text("step") + ($0["item"]?.intValue.map { " [\($0)]" } ?? "") }.joined(separator: " › ")
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
                context.status(of: child)
              }
            }
          }
        },
    ])
  }
}
