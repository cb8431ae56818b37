package import Expressions

/// The questions of runs.
package struct DecisionsPage: PageView {
  private let waits: [Value]

  private let answerable: Set<String>
  private let doubts: [Value]

  /// Creates the page from the list of the API.
  ///
  /// - Parameters:
  ///   - answerable: The runs whose questions the user may answer.
  ///   - doubts: Attempts whose outcome is unknown.
  package init(_ page: Value, answerable: Set<String>, doubts: [Value] = []) {
    (waits, self.answerable, self.doubts) = (page.items, answerable, doubts)
  }

  package var scripts: [String] { ["live.js"] }
  package func title(_ context: PageContext) -> String { context.say("Decisions", de: "Entscheidungen") }

  package func contents(_ context: PageContext) -> HTML {
    context.live("decisions", seconds: 10) {
      for doubt in doubts { DoubtCard(doubt).html(context) }
      if waits.isEmpty, doubts.isEmpty {
        context.empty(
          context.say(
            "No run asks anything. Questions of runs appear here, with their forms.",
            de: "Kein Lauf fragt etwas. Fragen von Läufen erscheinen hier, mit ihren Formularen."))
      }
      for (number, wait) in waits.enumerated() {
        DecisionCard(
          wait, number: number, showsRun: true, isAnswerable: answerable.contains(wait.text("run"))
        ).html(context)
      }
    }
  }
}

/// One question with its form.
struct DecisionCard {
  private let wait: Value
  private let number: Int
  private let showsRun: Bool
  private let isAnswerable: Bool

  init(_ wait: Value, number: Int, showsRun: Bool, isAnswerable: Bool) {
    (self.wait, self.number, self.showsRun, self.isAnswerable) = (wait, number, showsRun, isAnswerable)
  }

  func html(_ context: PageContext) -> HTML {
    let run = wait.text("run")
    let form = SchemaForm(wait["form"] ?? .null, prefix: "decision-\(number)", context)
    let path = "POST /runs/\(PageAddress.escaped(run))/decision"
    return tag(.section, .class("card decision")) {
      tag(.h2, text: wait["message"]?.stringValue ?? wait.text("step"))
      tag(.p, .class("faint")) {
        if showsRun {
          tag(.a, .href(PageContext.run(run)), text: wait.text("recipe"))
          " · "
        }
        wait.text("step") + " · "
        context.time(wait["since"], isRelative: true)
        if wait["until"]?.stringValue != nil {
          " · " + context.say("until ", de: "bis ")
          context.time(wait["until"])
        }
      }
      if isAnswerable {
        context.form(path, into: "fields") {
          constants(isApproved: true)
          form.fields
          tag(.div, .class("buttons")) {
            tag(.button, .class("primary"), .with(.type, "submit"), text: context.say("Approve", de: "Zustimmen"))
          }
        }
        tag(.details, .class("reject")) {
          tag(.summary, text: context.say("Reject …", de: "Ablehnen …"))
          context.form(path) {
            constants(isApproved: false)
            tag(.div, .class("field")) {
              tag(.label, .with(.forID, "reason-\(number)"), text: context.say("Reason", de: "Grund"))
              tag(
                .textarea, .id("reason-\(number)"), .with(.rows, "2"), .with(.maxlength, "10000"),
                .data("field", "reason"),
                .data("kind", "long"))
            }
            tag(.button, .class("danger"), .with(.type, "submit"), text: context.say("Reject", de: "Ablehnen"))
          }
        }
      } else {
        context.empty(
          context.say("Your roles do not let you answer.", de: "Die eigenen Rollen erlauben keine Antwort."))
      }
    }
  }

  /// Members of the body that are not fields.
  private func constants(isApproved: Bool) -> HTML {
    var body: ValueMap = ["approved": .bool(isApproved), "step": .string(wait.text("step"))]
    if let item = wait["item"], item != .null { body["item"] = item }
    return tag(.input, .with(.type, "hidden"), .data("constants", Value.map(body).jsonString))
  }
}
