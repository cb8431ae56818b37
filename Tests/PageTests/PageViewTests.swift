import Access
import Expressions
import Foundation
import Localization
import RecipePlanning
import Testing

@testable import Page

/// Pages with hostile values, in both languages.
struct PageViewTests {
  private static let hostile = "<script>alert('x')</script>\"onload=\""

  /// An object whose texts are all hostile.
  private static func object(_ keys: [String], _ more: [(String, Value)] = []) -> Value {
    var map = ValueMap()
    for key in keys { map[key] = .string(hostile) }
    for (key, value) in more { map[key] = value }
    return .map(map)
  }

  private static func page(_ item: Value) -> Value { ["items": [item], "next": .string(hostile)] }

  private static let failure = object(["message", "message_de", "advice", "advice_de", "kind"])
  private static let run = object(
    ["id", "recipe", "status", "trigger", "started_at", "origin", "parent"],
    [
      ("failure", failure), ("duration_ms", 5), ("inputs", [hostile: .string(hostile)]),
      ("outputs", .string(hostile)),
      (
        "steps",
        [
          object(
            ["id", "action", "undo_of"],
            [
              ("status", "failed"), ("phase", "undo"), ("providers", [.string(hostile)]), ("failure", failure),
              ("attempts", [object(["status", "provider"], [("failure", failure)])]), ("output", .string(hostile)),
            ])
        ]
      ), ("waits", [wait]), ("children", [object(["id", "recipe", "status"])]),
    ])
  private static let wait = object(
    ["run", "recipe", "step", "message", "since", "until"],
    [
      ("kind", "approval"), ("answered", false),
      (
        "form",
        ["type": "object", "properties": [hostile: ["title": .string(hostile), "enum": [.string(hostile)]]]]
      ),
    ])
  private static let recipe = object(
    ["name", "path", "kind", "summary"],
    [
      ("triggers", 1), ("problems", [.string(hostile)]),
      ("inputs", [object(["name", "description"], [("schema", ["type": "string", "default": .string(hostile)])])]),
    ])

  private static let note = object(
    [
      "heading", "title", "kind", "text", "corrected", "summary", "category", "source", "reminder", "created",
      "updated",
    ],
    [
      ("number", 3), ("tags", [.string(hostile)]), ("audio", object(["name"], [("size", 5_000)])),
      ("attachments", [object(["name"])]),
    ])
  private static let category = page(object(["name", "color"], [("count", 2)]))
  private static let doubt = object(
    ["run", "step", "action", "recipe"],
    [
      ("item", 2), ("failure", failure), ("settles", true),
      ("message", object(["subject"], [("to", [.string(hostile)])])),
    ])
  private static let messages = ["pending", "failed", "sent", "unknown"].map { state in
    object(
      ["id", "account", "send_at", "from", "subject", "text", "html"],
      [
        ("state", .string(state)), ("failure", failure), ("to", [.string(hostile)]),
        ("attachments", [.string(hostile)]),
      ])
  }
  private static let reminders = ["due", "coming", "off", "failed", "done"].map { state in
    object(["id", "title", "at", "next", "rhythm", "words", "words_de", "run"], [("state", .string(state))])
  }
  private static let prompt = object(
    ["name", "title", "icon", "keywords", "path", "preset"],
    [("kind", "preset"), ("default", true), ("fields", object(["name", "prompt", "description", "system"]))])
  private static let promptText = object(
    ["text", "system"], [("keywords", [object(["name", "value", "from"])])])
  private static let choices = object(
    ["default", "default_preset"],
    [("providers", [object(["name", "model"])]), ("presets", [object(["name", "title"])])])

  private static var views: [(String, any PageView)] {
    var overview = OverviewPage()
    overview.decisions = [wait]
    (overview.failed, overview.active, overview.recipes) = ([run], [run], [recipe])
    overview.coming = [object(["recipe", "at"])]
    overview.reminders = [object(["title", "state", "next"])]
    overview.notifications = [object(["title", "at"])]
    overview.notes = [note]
    overview.doubts = [doubt]
    var chat = ChatPage(
      page(object(["title", "changed_at"], [("chat", 1)])),
      chat: object(
        ["title", "system"],
        [
          ("chat", 1),
          (
            "turns",
            [
              object(["text", "at"], [("role", "user"), ("files", [.string(hostile)])]),
              object(["text", "provider", "model", "at"], [("role", "assistant"), ("cut", true)]),
            ]
          ),
        ]), choices: choices, search: hostile)
    (chat.draft.text, chat.draft.model, chat.draft.preset) = (hostile, hostile, hostile)
    chat.problem = LocalizedText(verbatim: hostile)
    chat.current = (hostile, hostile)
    var newChat = ChatPage([:], chat: .null, choices: choices, search: "")
    newChat.answer = object(["text", "provider", "model"])
    var empty = OverviewPage()
    (empty.hasRecipes, empty.folder) = (false, hostile)
    let month = SchedulesPage.Month(year: 2026, month: 2, days: 28, start: 6, today: 3, zone: hostile)
    let line = object(["at", "level", "step", "message"], [("id", 3)])
    let notification = object(
      ["title", "text", "recipe", "run", "at", "trouble"], [("number", 1), ("link", "javascript:alert(1)")])
    let user = object(
      ["name", "full_name", "created"], [("roles", [.string(hostile)]), ("groups", [.string(hostile)])])
    let role = page(object(["name", "title"], [("rules", [.string(hostile)])]))
    let entry = object(
      ["at", "actor", "origin", "address", "action", "object", "outcome"],
      [("changes", [object(["path"], [("before", .string(hostile)), ("after", .null)])])])
    let diagnostic = object(["severity", "code", "message", "suggestion"], [("line", 1), ("column", 2)])
    return [
      ("sign-in", SignInPage(next: "/", user: hostile, problem: LocalizedText(verbatim: hostile))),
      ("device", DevicePage(code: hostile, problem: hostile)),
      ("device", DevicePage(device: object(["user_code", "client", "expires"], [("scopes", [.string(hostile)])]))),
      ("device", DeviceDonePage(isApproved: true)), ("overview", overview), ("empty", empty),
      (
        "runs",
        RunsPage(
          page(run), query: [("search", hostile), ("recipe", hostile)], recipes: [hostile],
          saved: [object(["name", "recipe"], [("status", .null), ("search", .null)])], problem: hostile)
      ),
      (
        "run",
        RunPage(
          run, graph: nil, lines: [line], hasMoreLines: true, step: nil,
          rights: .init(changes: true, runs: true, answers: true))
      ),
      ("decisions", DecisionsPage(page(wait), answerable: [hostile])),
      ("recipes", RecipesPage(page(recipe))), ("new", NewRecipePage(page(object(["name", "summary"])))),
      (
        "recipe",
        RecipePage(
          recipe, graph: nil, runs: [run], points: [.string(hostile)],
          rights: .init(runs: true, writes: true, deletes: true))
      ),
      (
        "history",
        RecipeHistoryPage(
          hostile,
          versions: page(object(["actor", "origin", "commit", "at"], [("version", 3), ("restored", 1)])),
          difference: object(
            ["path"],
            [
              ("from", 1), ("to", .null),
              (
                "hunks",
                [
                  object(
                    [],
                    [
                      ("new_start", 4),
                      ("lines", [object(["text"], [("kind", "added")]), object(["text"], [("kind", "removed")])]),
                    ])
                ]
              ),
            ]), current: hostile, mayWrite: false)
      ),
      (
        "edit",
        EditorPage(
          hostile, text: "</textarea>" + hostile, version: hostile, isWritable: true,
          check: RecipeCheck(diagnostics: [diagnostic], graph: nil))
      ),
      (
        "schedules",
        SchedulesPage(
          page(object(["source", "recipe", "next"])),
          rhythms: [hostile: .init(source: hostile, words: LocalizedText(verbatim: hostile))], month: month,
          points: [.init(day: 3, clock: hostile, recipe: hostile, outcome: hostile, run: hostile)])
      ), ("triggers", TriggersPage(page(object(["recipe", "trigger", "provider", "trouble", "event_at"])))),
      ("notifications", NotificationsPage(page(notification))), ("users", UsersPage(page(user), roles: role)),
      ("user", UserPage(user, roles: role)),
      ("tokens", TokensPage(page(object(["id", "name", "user", "expires", "last_used"])))),
      ("audit", AuditPage(page(entry), user: hostile)),
      (
        "notes",
        NotesPage(
          page(["note": note, "highlights": [["text": .string(hostile), "hit": true]]]), categories: category,
          tags: page(object(["tag"], [("count", 3)])), query: [("search", hostile), ("tag", hostile)])
      ), ("note", NotePage(note, version: hostile)),
      ("new note", NoteFormPage(categories: category, tags: page(object(["tag"])))),
      ("edit note", NoteFormPage(note, version: hostile, categories: category, tags: page(object(["tag"])))),
      ("outbox", OutboxPage(["items": .list(messages)], doubts: [doubt], isWhole: true)),
      ("message", MessagePage(messages[0], doubts: [doubt])),
      ("new message", NewMessagePage(providers: [hostile, "b"])),
      ("reminders", RemindersPage(["items": .list(reminders)], isWhole: true)),
      ("catalog", CatalogPage(page(prompt), search: hostile)),
      ("prompt", PromptPage(prompt, text: promptText, version: hostile)),
      ("prompt", PromptPage(prompt, text: .null, version: hostile, problem: hostile)),
      ("new prompt", NewPromptPage(page(object(["name"], [("kind", "folder")])))), ("chat", chat), ("chat", newChat),
      ("problem", ProblemPage(object(["title", "detail", "code", "request"]))),
    ] + operatorViews
  }

  /// Filters, usage, providers, plugins, settings and the own account.
  private static var operatorViews: [(String, any PageView)] {
    let decision = object(
      ["uid", "message_id", "reason"],
      [("rules", [.string(hostile)]), ("actions", [.string(hostile), .string("no " + hostile)])])
    let stays = object(["uid", "rule", "action", "error", "error_de", "reason", "reason_de", "recipe"])
    let account = object(
      ["provider", "folder", "failure"],
      [("examined", 3), ("kept", 1), ("decisions", [decision]), ("errors", [stays]), ("left", [stays])])
    let filterRun = object(
      ["run", "status", "started_at", "ended_at", "undone_by", "undone_at"],
      [
        ("message", object(["uid", "from", "subject"])), ("accounts", [account]), ("failed", [stays]),
      ])
    let change = object(["provider", "folder", "from", "to"], [("uids", ["1"]), ("add", [.string(hostile)])])
    let undo: Value = [
      "moves": [change], "marks": [change], "remains": [object(["step", "reason"])], "earlier": [.string(hostile)],
    ]
    let undone = MailUndoPage.Outcome(
      run: hostile, status: "failed", isOver: true, missing: [hostile], failure: failure)
    let back = MailUndoPage.Outcome(
      run: hostile, status: "succeeded", isOver: true, changes: [change], missing: [], failure: .null)
    var usage = UsagePage(.init(days: 30, recipe: hostile), recipes: [])
    usage.days = [hostile, "2026-11-28"]
    let row = object(["key"], [("calls", 2), ("prompt_tokens", 1200), ("completion_tokens", 30), ("cost", 0.5)])
    usage.byDay = ["rows": [row], "total": row]
    (usage.byModel, usage.byRecipe) = (usage.byDay, usage.byDay)
    usage.budgets = [
      object(
        ["name"],
        [("scope", "recipe"), ("period", "day"), ("tokens_limit", 10), ("tokens_used", 20), ("cost_limit", 2)])
    ]
    usage.statistics = [object(["recipe"], [("p50_ms", 5), ("p95_ms", 5), ("runs", 2), ("success_rate", 0.5)])]
    let provider = object(
      ["name", "plugin", "problem", "model"],
      [
        ("contracts", [.string(hostile)]), ("default_for", [.string(hostile)]),
        ("breaker", object(["open_until", "last_failure"], [("state", "open"), ("failures", 3)])),
      ])
    let plugin = object(["id", "version", "source", "other"], [("status", "active"), ("lock", "changed")])
    let broken = object(["id"], [("status", "broken"), ("error", object(["message"]))])
    let detail = object(
      ["id", "version", "summary", "source"],
      [
        ("access", [.string(hostile)]), ("isolation", ["mode": "process", "missing_fences": [.string(hostile)]]),
        ("actions", [object(["name", "summary", "effect"])]), ("triggers", [object(["name", "summary"])]),
      ])
    let settings = object(
      ["path", "listen"],
      [
        ("server", object(["url", "identity"])), ("recipe_folders", [.string(hostile)]),
        ("defaults", [hostile: [.string(hostile)]]), ("accounts", [.string(hostile)]),
        ("engine", ["prices": [hostile: ["input": 1, "output": 2]]]),
      ])
    let session = object(["id", "address", "created", "last_used"])
    let user = object([], [("password", true), ("language", "de")])
    let federated = object([], [("password", false), ("identity", object(["issuer"]))])
    let token = object(["name", "last_used"])
    return [
      ("filters", FiltersPage(page(object(["recipe", "path"])), last: [hostile: run])),
      ("filter", FilterPage(hostile, page(filterRun), undoes: true, preview: .shown(["accounts": [account]]))),
      ("filter", FilterPage(hostile, page(filterRun), undoes: false, preview: .failed(hostile))),
      ("filter", FilterPage(hostile, ["items": []], undoes: false, preview: .offered)),
      ("undo", MailUndoPage(run, undo: undo, outcome: nil, isAllowed: true)),
      ("undo", MailUndoPage(run, undo: undo, outcome: undone, isAllowed: true)),
      ("undo", MailUndoPage(run, undo: .null, outcome: back, isAllowed: true)),
      ("usage", usage), ("usage", UsagePage(.init(days: nil, recipe: ""), recipes: [hostile])),
      ("providers", ProvidersPage(page(provider))),
      ("provider", ProviderPage(provider, models: .listed([object(["id", "owner"])]))),
      ("provider", ProviderPage(provider, models: .failed(hostile))),
      ("provider", ProviderPage(provider, models: .offered)),
      ("plugins", PluginsPage(["items": [plugin, broken]])), ("plugin", PluginPage(detail)),
      (
        "settings",
        SettingsPage(
          settings, trust: ["items": [object(["text"])]], secrets: page(object(["name", "place"])),
          kept: page(object(["recipe", "key", "value"])))
      ),
      ("account", AccountPage(user, sessions: ["items": [session, session]], tokens: [token])),
      ("account", AccountPage(federated, sessions: ["items": []], tokens: [])),
      ("sign-in", SignInPage(next: hostile, provider: "https://login.example.org/" + hostile)),
    ]
  }

  private func document(_ view: any PageView, _ language: Language, _ role: AccessRole = .administrator) -> String {
    let actor = Actor(user: "ada", fullName: Self.hostile, roles: [role])
    return PageLayout(PageContext(actor: actor, language: language, path: "/runs", csrfToken: "token", version: "1"))
      .document(view)
  }

  @Test func noValueBecomesMarkup() {
    for (name, view) in Self.views {
      let text = document(view, .english)
      #expect(!text.contains("<script>"), "\(name)")
      #expect(!text.contains("\"onload="), "\(name)")
      #expect(!text.contains("=\"javascript:"), "\(name)")
      #expect(text.contains("&lt;script&gt;alert(&#39;x&#39;)"), "\(name)")
      // The text of the recipe ends where its element ends.
      #expect(
        text.components(separatedBy: "</textarea>").count == text.components(separatedBy: "<textarea").count, "\(name)")
    }
  }

  @Test func noPageHasCodeOrStyleInside() throws {
    let handler = try Regex("<[^>]* on[a-z]+=\"")
    for (name, view) in Self.views {
      let text = document(view, .german)
      #expect(!text.contains("<style") && !text.contains(" style=\""), "\(name)")
      #expect(text.firstMatch(of: handler) == nil, "\(name)")
      for part in text.components(separatedBy: "<script").dropFirst() {
        #expect(part.contains("src=\"/assets/") && part.prefix { $0 != "<" }.hasSuffix(">"), "\(name)")
      }
    }
  }

  /// The texts of a page without markup and without the values of the test.
  private func words(_ markup: String) -> Set<String> {
    let text = markup.replacing(/<textarea[^>]*>[^<]*|<code>[^<]*|<pre[^>]*>[^<]*|<option[^>]*>[^<]*/, with: "<")
    return Set(
      text.split(separator: "<").compactMap { $0.split(separator: ">", maxSplits: 1).dropFirst().first }
        .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        .filter { word in
          word.count > 3 && word.contains { $0.isLetter } && !word.contains("script") && !word.contains("alert")
        })
  }

  /// English and German texts of a page differ, except for words that both languages have.
  @Test func eachTextExistsInBothLanguages() {
    let shared: Set<String> = [
      "Sous", "Sous 1", "Name", "Plan", "Text", "Status", "Code", "Tokens", "Provider", "Input", "Session", "Filter",
      "5 ms", "Live", "Plugin", "Plugins", "Server", "TLS", "Version", "Budgets",
      "administrator", "Chat", "Preset", "5 kB",
    ]
    for (name, view) in Self.views {
      let both = words(document(view, .english)).intersection(words(document(view, .german)))
        .filter {
          !shared.contains($0) && $0.contains { $0.isLetter } && !$0.contains("·") && !$0.contains("UTC")
            && !$0.contains("&")
        }
      #expect(both.isEmpty, "\(name): \(both.sorted())")
    }
  }

  @Test func eachPageHasATitleALanguageAndOneMainHeading() {
    for (name, view) in Self.views {
      for language in Language.allCases {
        let text = document(view, language)
        #expect(text.hasPrefix("<!doctype html>\n<html lang=\"\(language.rawValue)\""), "\(name)")
        #expect(text.components(separatedBy: "<h1").count == 2 && text.contains("href=\"#main\""), "\(name)")
      }
    }
  }

  @Test func aViewerIsOfferedNoChange() {
    for (name, view) in Self.views
    where ![
      "device", "tokens", "new", "recipe", "edit", "run", "decisions", "undo", "new note", "edit note", "outbox",
      "message",
      "new message", "new prompt",
    ].contains(name) {
      // The own account is for each user.
      let text = document(view, .english, .viewer).replacing(/data-api="[A-Z]+ \/api\/v1\/me["\/]/, with: "")
      #expect(!text.contains("data-api="), "\(name)")
    }
  }

  @Test func whoMayNotChangeARunIsOfferedNoChange() {
    let run = RunPage(
      Self.run, graph: nil, lines: [], hasMoreLines: false, step: nil,
      rights: .init(changes: false, runs: false, answers: false))
    #expect(!document(run, .english).contains("data-api="))
    #expect(!document(DecisionsPage(Self.page(Self.wait), answerable: []), .english).contains("data-api="))
  }

  @Test func theFirstLoadIsSmall() {
    let files = PageAsset.all.reduce(0) { $0 + $1.bytes.count }
    var overview = OverviewPage()
    overview.recipes = (0..<50).map { ["name": .string("recipe-\($0)")] }
    #expect(files + document(overview, .german).utf8.count < 100_000)
  }

  @Test func filesAreFoundByTheirHash() {
    for asset in PageAsset.all { #expect(PageAsset.at(PageAsset.folder + asset.name)?.bytes == asset.bytes) }
    #expect(PageAsset.at(PageAsset.folder + "nothing.js") == nil && PageAsset.at("/assets/0/page.js") == nil)
  }

  @Test(arguments: [
    (0.4, "0 ms"), (950, "950 ms"), (1_234, "1.2 s"), (59_000, "59 s"), (61_000, "1 min 1 s"), (3_700_000, "1 h 1 min"),
    (90_000_000, "1 d 1 h"),
  ])
  func aDurationIsShort(milliseconds: Double, expected: String) {
    let context = PageContext(actor: nil, language: .english, path: "/", csrfToken: nil, version: "1")
    #expect(context.duration(.double(milliseconds)) == expected)
  }
}
