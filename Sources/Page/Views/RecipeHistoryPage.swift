import Access
package import Expressions

/// The versions of a recipe, and the difference between two of them.
package struct RecipeHistoryPage: PageView {
  private let name: String
  private let versions: [Value]
  private let next: String?
  private let difference: Value
  private let current: String?
  private let mayWrite: Bool
  private let mayDelete: Bool

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - name: The name of the recipe.
  ///   - versions: A page of its versions, as the API answers it.
  ///   - difference: The difference to show, as the API answers it; null for none.
  ///   - current: The ETag of the text as it is now; `nil` if the file was deleted.
  ///   - mayWrite: Whether the user may roll back.
  ///   - mayDelete: Whether the user may remove versions.
  package init(
    _ name: String, versions: Value, difference: Value, current: String?, mayWrite: Bool, mayDelete: Bool = false
  ) {
    (self.name, self.versions, next) = (name, versions.items, versions["next"]?.stringValue)
    (self.difference, self.current, self.mayWrite, self.mayDelete) = (difference, current, mayWrite, mayDelete)
  }

  private var path: String { PageContext.recipe(name) }

  package func title(_ context: PageContext) -> String {
    context.say("History of \(name)", de: "Verlauf von \(name)")
  }

  package func actions(_ context: PageContext) -> HTML {
    current == nil
      ? .empty
      : tag(
        .a, .class("button quiet"), .href(path), text: context.say("Back to the recipe", de: "Zurück zum Rezept"))
  }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      difference == .null ? .empty : shown(difference, context),
      versions.isEmpty
        ? context.empty(
          context.say(
            "The server keeps each version that it serves.", de: "Der Server behält jede Fassung, die er ausführt."))
        : table(context),
      next.map { next in
        tag(.nav, .class("pages"), .aria("label", context.say("Pages", de: "Seiten"))) {
          tag(
            .a, .class("button"), .with(.rel, "next"), .href("\(path)/history?cursor=" + PageAddress.escaped(next)),
            text: context.say("Older", de: "Ältere"))
        }
      } ?? .empty,
    ])
  }

  private func table(_ context: PageContext) -> HTML {
    context.table(
      context.say("Versions, newest first", de: "Fassungen, neueste zuerst"),
      [
        context.say("Version", de: "Fassung"), context.say("Time", de: "Zeit"), context.say("By", de: "Von"),
        context.say("How", de: "Wie"), context.say("Remark", de: "Bemerkung"), "",
      ],
      versions.map { version in
        [
          .text("\(version.number("version"))"), context.time(version["at"]),
          .text(version["actor"]?.stringValue ?? "–"), .text(way(version.text("origin"), context)),
          .text(remark(version, context)), buttons(version, context),
        ]
      })
  }

  private func way(_ origin: String, _ context: PageContext) -> String {
    switch origin {
    case "file": context.say("file on disk", de: "Datei geändert")
    case "session": context.say("this page", de: "diese Seite")
    case "command": context.say("command", de: "Befehl")
    case "token": context.say("by API", de: "über API")
    default: origin
    }
  }

  private func remark(_ version: Value, _ context: PageContext) -> String {
    var remarks: [String] = []
    if version["deleted"]?.boolValue == true { remarks.append(context.say("deleted", de: "gelöscht")) }
    if let restored = version["restored"]?.intValue {
      remarks.append(context.say("text of version \(restored)", de: "Text der Fassung \(restored)"))
    }
    if let commit = version["commit"]?.stringValue { remarks.append(String(commit.prefix(12))) }
    if version["current"]?.boolValue == true { remarks.append(context.say("the text now", de: "der Text jetzt")) }
    return remarks.joined(separator: ", ")
  }

  private func buttons(_ version: Value, _ context: PageContext) -> HTML {
    // An older version may have the text now too.
    let hasTextNow = version["digest"]?.stringValue.map { current?.contains($0) ?? false } ?? false
    guard version["deleted"]?.boolValue != true, !hasTextNow else { return .empty }
    let number = version.number("version")
    return tag(.div, .class("buttons")) {
      tag(
        .a, .class("button small"), .href("\(path)/history?from=\(number)"),
        text: context.say("Compare with now", de: "Mit jetzt vergleichen"))
      if mayWrite {
        context.button(
          context.say("Roll back", de: "Zurückholen"), "POST \(path)/rollback", body: ["version": .int(Int64(number))],
          confirm: context.say(
            "Give the recipe the text of version \(number)?", de: "Dem Rezept den Text der Fassung \(number) geben?"),
          style: "small",
          label: context.say("Roll back to version \(number)", de: "Fassung \(number) zurückholen"), match: current)
      }
      if mayDelete {
        context.button(
          context.say("Remove", de: "Löschen"), "DELETE \(path)/history/\(number)",
          confirm: context.say(
            "Remove version \(number) for good?", de: "Fassung \(number) endgültig löschen?"), style: "small danger",
          label: context.say("Remove version \(number)", de: "Fassung \(number) löschen"))
      }
    }
  }

  private func shown(_ difference: Value, _ context: PageContext) -> HTML {
    let hunks = difference["hunks"]?.listValue ?? []
    let from = difference.number("from")
    let title =
      difference["to"]?.intValue.map {
        context.say("From version \(from) to \($0)", de: "Von Fassung \(from) zu \($0)")
      } ?? context.say("From version \(from) to the text now", de: "Von Fassung \(from) zum Text jetzt")
    return context.section(title) {
      if hunks.isEmpty {
        context.empty(context.say("No difference.", de: "Kein Unterschied."))
      } else {
        tag(.pre, .class("value diff"), .with(.tabindex, "0")) {
          for hunk in hunks {
            tag(.span, .class("faint"), text: context.say("line", de: "Zeile") + " \(hunk.number("new_start"))\n")
            for line in hunk["lines"]?.listValue ?? [] { shown(line: line) }
          }
        }
      }
    }
  }

  private func shown(line: Value) -> HTML {
    let kind = line.text("kind")
    let mark = kind == "added" ? "+" : kind == "removed" ? "-" : " "
    return tag(.span, .class(PageContext.safeClass(kind)), text: mark + line.text("text") + "\n")
  }
}
