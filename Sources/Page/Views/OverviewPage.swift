import Access
package import Expressions

/// The first page: what needs a person, what runs, what comes.
package struct OverviewPage: PageView {
  /// The questions of runs.
  package var decisions: [Value] = []
  /// Runs that failed lately or need attention.
  package var failed: [Value] = []
  /// Runs that have not ended.
  package var active: [Value] = []
  /// The next points of schedules: `{recipe, at}`.
  package var coming: [Value] = []
  /// Reminders that come or are due.
  package var reminders: [Value] = []
  /// The newest notes.
  package var notes: [Value] = []
  /// Attempts whose outcome is unknown.
  package var doubts: [Value] = []
  /// Unread notifications.
  package var notifications: [Value] = []
  /// Recipes that the user may run.
  package var recipes: [Value] = []
  /// Whether the workspace has any recipe.
  package var hasRecipes = true
  /// The recipe folder, for the first steps.
  package var folder = ""

  /// Creates an empty page.
  package init() {}

  package var scripts: [String] { ["live.js"] }
  package func title(_ context: PageContext) -> String { context.say("Overview", de: "Übersicht") }

  package func actions(_ context: PageContext) -> HTML {
    guard context.may(.create, .recipes), hasRecipes else { return .empty }
    return tag(.a, .class("button"), .href("/new-recipe"), text: context.say("New recipe", de: "Neues Rezept"))
  }

  package func contents(_ context: PageContext) -> HTML {
    if !hasRecipes { return .group([firstSteps(context), quickLinks(context)]) }
    return tag(.div, .class("columns")) {
      context.live("overview", seconds: 10) {
        if context.may(.read, .decisions), !decisions.isEmpty || !doubts.isEmpty {
          context.section(context.say("Needs a decision", de: "Braucht eine Entscheidung")) {
            tag(.ul, .class("list")) {
              for wait in decisions { decision(wait, context) }
              for doubt in doubts { self.doubt(doubt, context) }
            }
          }
        }
        if context.may(.read, .runs) { runBlocks(context) }
        if context.may(.read, .notes) { noteBlock(context) }
      }
      tag(.div) {
        quickLinks(context)
        if !recipes.isEmpty { quickActions(context) }
        if context.may(.read, .schedules) { next(context) }
        if context.may(.read, .reminders) { reminderBlock(context) }
        if context.may(.read, .notifications) { notificationBlock(context) }
      }
    }
  }

  private func decision(_ wait: Value, _ context: PageContext) -> HTML {
    tag(.li) {
      tag(.div) {
        tag(.a, .class("strong"), .href("/decisions"), text: wait["message"]?.stringValue ?? wait.text("step"))
        tag(.div, .class("faint")) {
          wait.text("recipe") + " · "
          context.time(wait["since"], isRelative: true)
        }
      }
      tag(.a, .class("button primary"), .href("/decisions"), text: context.say("Decide", de: "Entscheiden"))
    }
  }

  private func doubt(_ doubt: Value, _ context: PageContext) -> HTML {
    tag(.li) {
      tag(.div) {
        tag(
          .a, .class("strong"), .href(PageContext.run(doubt.text("run"))),
          text: context.say("Outcome unknown: ", de: "Ausgang unbekannt: ") + doubt.text("step"))
        tag(.div, .class("faint"), text: doubt.text("recipe") + " · " + doubt.text("action"))
      }
      tag(.a, .class("button primary"), .href("/decisions"), text: context.say("Decide", de: "Entscheiden"))
    }
  }

  private func quickLinks(_ context: PageContext) -> HTML {
    let links: [(String, String, AccessObject)] = [
      ("/new-note", context.say("New note", de: "Neue Notiz"), .notes),
      ("/reminders#new", context.say("New reminder", de: "Neue Erinnerung"), .reminders),
      ("/new-message", context.say("New message", de: "Neue Nachricht"), .outbox),
      ("/chat", context.say("Ask a model", de: "Ein Modell fragen"), .conversations),
    ].filter { context.may(.create, $0.2) && context.may(.read, $0.2) }
    guard !links.isEmpty else { return .empty }
    return context.section(context.say("Quick actions", de: "Schnell erledigt")) {
      tag(.ul, .class("links")) { for link in links { tag(.li) { tag(.a, .href(link.0), text: link.1) } } }
    }
  }

  private func noteBlock(_ context: PageContext) -> HTML {
    context.section(
      context.say("Newest notes", de: "Neueste Notizen"),
      aside: tag(.a, .href("/notes"), text: context.say("All notes", de: "Alle Notizen"))
    ) {
      if notes.isEmpty {
        context.empty(context.say("No notes yet.", de: "Noch keine Notizen."))
      } else {
        tag(.ul, .class("list small")) {
          for note in notes {
            tag(.li) {
              tag(.div) {
                tag(
                  .a, .href("/notes/\(note.number("number"))"),
                  text: note.text("heading").isEmpty
                    ? context.say("Without text", de: "Ohne Text") : note.text("heading"))
                tag(.div, .class("faint"), text: note.text("category") + " · " + NotesPage.kind(note, context))
              }
              context.time(note["created"], isRelative: true)
            }
          }
        }
      }
    }
  }

  private func runBlocks(_ context: PageContext) -> HTML {
    .group([
      context.section(context.say("Running", de: "Läuft gerade")) {
        if active.isEmpty {
          context.empty(context.say("Nothing runs at the moment.", de: "Zurzeit läuft nichts."))
        } else {
          runList(active, context)
        }
      },
      context.section(
        context.say("Failed lately", de: "Zuletzt fehlgeschlagen"),
        aside: tag(.a, .href("/runs?status=failed"), text: context.say("All failed runs", de: "Alle fehlgeschlagenen"))
      ) {
        if failed.isEmpty {
          context.empty(
            context.say(
              "No failed run in the last seven days.", de: "Kein fehlgeschlagener Lauf in den letzten sieben Tagen."))
        } else {
          runList(failed, context)
        }
      },
    ])
  }

  private func runList(_ runs: [Value], _ context: PageContext) -> HTML {
    tag(.ul, .class("list")) {
      for run in runs {
        tag(.li) {
          tag(.div) {
            tag(
              .a, .class("strong"), .id("run-" + run.text("id")), .href(PageContext.run(run.text("id"))),
              text: run.text("recipe"))
            context.reason(of: run, limit: 200)
            tag(.div, .class("faint")) { context.time(run["started_at"], isRelative: true) }
          }
          context.status(of: run)
        }
      }
    }
  }

  private func quickActions(_ context: PageContext) -> HTML {
    context.section(context.say("Run a recipe", de: "Rezept starten")) {
      tag(.ul, .class("links")) {
        for recipe in recipes {
          tag(.li) {
            tag(.a, .href(PageContext.recipe(recipe.text("name")) + "#run"), text: recipe.text("name"))
          }
        }
      }
    }
  }

  private func next(_ context: PageContext) -> HTML {
    context.section(
      context.say("Next", de: "Als Nächstes"),
      aside: tag(.a, .href("/schedules"), text: context.say("Calendar", de: "Kalender"))
    ) {
      if coming.isEmpty {
        context.empty(context.say("No schedule is due.", de: "Kein Zeitplan steht an."))
      } else {
        tag(.ul, .class("list small")) {
          for point in coming {
            tag(.li) {
              tag(.a, .href(PageContext.recipe(point.text("recipe"))), text: point.text("recipe"))
              context.time(point["at"])
            }
          }
        }
      }
    }
  }

  private func reminderBlock(_ context: PageContext) -> HTML {
    context.section(
      context.say("Reminders", de: "Erinnerungen"),
      aside: tag(.a, .href("/reminders"), text: context.say("All", de: "Alle"))
    ) {
      if reminders.isEmpty {
        context.empty(context.say("No reminder is set.", de: "Keine Erinnerung steht an."))
      } else {
        tag(.ul, .class("list small")) {
          for reminder in reminders {
            tag(.li) {
              tag(.span, text: reminder.text("title"))
              if reminder.text("state") == "due" {
                context.status("due")
              } else {
                context.time(reminder["next"])
              }
            }
          }
        }
      }
    }
  }

  private func notificationBlock(_ context: PageContext) -> HTML {
    context.section(
      context.say("Notifications", de: "Benachrichtigungen"),
      aside: tag(.a, .href("/notifications"), text: context.say("All", de: "Alle"))
    ) {
      if notifications.isEmpty {
        context.empty(context.say("Nothing unread.", de: "Nichts Ungelesenes."))
      } else {
        tag(.ul, .class("list small")) {
          for notification in notifications {
            tag(.li) {
              tag(.a, .href("/notifications"), text: notification.text("title"))
              context.time(notification["at"], isRelative: true)
            }
          }
        }
      }
    }
  }

  /// A workspace without recipes.
  private func firstSteps(_ context: PageContext) -> HTML {
    tag(.div, .class("card welcome")) {
      tag(.h2, text: context.say("Start with a recipe", de: "Mit einem Rezept beginnen"))
      tag(
        .p,
        text: context.say(
          "A recipe says what is done, step by step, and when. This workspace has none yet.",
          de: "Ein Rezept sagt, was getan wird, Schritt für Schritt, und wann. Hier gibt es noch keines."))
      if context.may(.create, .recipes) {
        tag(.p) {
          tag(
            .a, .class("button primary"), .href("/new-recipe"),
            text: context.say("Make the first recipe", de: "Erstes Rezept anlegen"))
        }
        tag(.p, .class("help")) {
          context.say("Or put a YAML file into the folder ", de: "Oder eine YAML-Datei in diesen Ordner legen: ")
          tag(.code, text: folder)
        }
      } else {
        tag(
          .p,
          text: context.say(
            "Somebody with the role editor can make one.", de: "Jemand mit der Rolle editor kann eines anlegen."))
      }
    }
  }
}
