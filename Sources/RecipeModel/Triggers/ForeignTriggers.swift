import Localization

/// Triggers of other products (GitHub Actions, GitLab, Kestra, n8n), and how Sous says the same.
enum ForeignTriggers {
  private static let byHand = LocalizedText(
    "every recipe can be started by hand with 'sous run RECIPE'; leave it out",
    de: "jedes Rezept lässt sich von Hand mit 'sous run REZEPT' starten; es kann wegfallen")
  private static let ofCodeHosts = LocalizedText(
    "let the code host send its events to a webhook, as 'on: { webhook: { name: …, secret: …, signature: github } }'",
    de:
      "der Code-Host kann seine Ereignisse an einen Webhook schicken, als 'on: { webhook: { name: …, secret: …, signature: github } }'"
  )
  private static let ofPrograms = LocalizedText(
    "let other programs send a request to a webhook, as 'on: { webhook: { name: …, secret: … } }'",
    de: "andere Programme können eine Anfrage an einen Webhook schicken, als 'on: { webhook: { name: …, secret: … } }'")
  private static let ofRecipes = LocalizedText(
    "a recipe starts after another one as 'on: { recipe: NAME }', after its failure with 'failed: true'",
    de: "ein Rezept startet nach einem anderen als 'on: { recipe: NAME }', nach dessen Fehlschlag mit 'failed: true'")
  private static let ofCallers = LocalizedText(
    "every recipe can be run by another one with 'uses: recipe'; leave it out",
    de: "jedes Rezept kann von einem anderen mit 'uses: recipe' ausgeführt werden; es kann wegfallen")
  private static let ofTime = LocalizedText(
    "write the time as 'on: { schedule: { cron: \"0 3 * * *\" } }', or in words as 'on: { schedule: every day at 3 }'",
    de:
      "die Zeit als 'on: { schedule: { cron: \"0 3 * * *\" } }' schreiben, oder in Worten als 'on: { schedule: täglich um 3 }'"
  )
  private static let ofFiles = LocalizedText(
    "write the path as 'on: { file: \"inbox/*.pdf\" }'", de: "den Pfad als 'on: { file: \"inbox/*.pdf\" }' schreiben")

  private static let forms: [(words: Set<String>, form: LocalizedText)] = [
    (["workflow_dispatch", "manual_trigger", "manualtrigger", "button"], byHand),
    (
      [
        "push", "pull_request", "pull_request_target", "merge_request", "issues", "issue_comment", "release", "create",
        "delete", "tag", "tags", "fork", "star", "watch", "pull_request_review", "discussion", "check_run",
        "check_suite",
        "deployment", "deployment_status", "merge_group", "registry_package", "status",
      ], ofCodeHosts
    ),
    (["repository_dispatch", "webhook", "http", "api", "request"], ofPrograms),
    (["workflow_run", "flow", "workflow", "error_trigger", "errortrigger"], ofRecipes),
    (["workflow_call", "called", "execute_workflow_trigger"], ofCallers),
    (["schedule", "schedules", "cron", "timer", "interval", "schedule_trigger"], ofTime),
    (["file", "files", "local_file_trigger"], ofFiles),
  ]

  /// How Sous says a trigger of another product; `nil` for other words.
  static func form(of name: String) -> LocalizedText? {
    let name = name.lowercased().replacing("-", with: "_")
    return forms.first { $0.words.contains(name) }?.form
  }
}
