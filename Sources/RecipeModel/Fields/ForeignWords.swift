import Localization

/// Keys of other products (GitHub Actions, Dagu, n8n, Kestra, cron), and how Sous says the same.
enum ForeignWords {
  /// A key of Sous, the keys of others that mean the same, and how it is written.
  private struct Word {
    let key: String
    let others: Set<String>
    let english: String
    let german: String

    init(_ key: String, _ others: Set<String>, _ english: String, de german: String) {
      (self.key, self.others, self.english, self.german) = (key, others, english, german)
    }
  }

  private static let words: [Word] = [
    Word(
      "when", ["if", "condition", "preconditions", "precondition", "only_if", "unless", "runif"],
      "write a condition as 'when: …'", de: "eine Bedingung wird als 'when: …' geschrieben"),
    Word(
      "uses", ["run", "script", "command", "cmd", "commands", "exec", "shell", "bash", "executor"],
      "run a program with 'uses: exec' and 'with: { command: [sh, -c, \"…\"] }'",
      de: "ein Programm läuft mit 'uses: exec' und 'with: { command: [sh, -c, \"…\"] }'"),
    Word("uses", ["action", "plugin", "module"], "name the action as 'uses: …'", de: "die Aktion heißt 'uses: …'"),
    Word(
      "env", ["environment", "envs", "environ"], "write variables of all programs as 'env: { NAME: value }'",
      de: "Variablen aller Programme werden als 'env: { NAME: Wert }' geschrieben"),
    Word(
      "repeat", ["repeat_policy", "repeatpolicy", "until", "wait_until", "poll", "do_until", "loop_until"],
      "repeat a step until a condition is true as 'repeat: { until: …, every: 10s, limit: 20 }'",
      de: "ein Schritt wird mit 'repeat: { until: …, every: 10s, limit: 20 }' wiederholt, bis eine Bedingung gilt"),
    Word(
      "environment", ["env", "envs", "environ"], "write variables as 'environment: { NAME: value }'",
      de: "Variablen werden als 'environment: { NAME: Wert }' geschrieben"),
    Word(
      "uses", ["env", "envs", "environ", "environment"],
      "variables of a program are part of 'with: { environment: { NAME: value } }' of 'uses: exec'",
      de: "Variablen eines Programms gehören zu 'with: { environment: { NAME: Wert } }' von 'uses: exec'"),
    Word(
      "uses", ["working-directory", "working_directory", "workdir", "cwd", "dir"],
      "the folder is part of 'with: { folder: … }' of 'uses: exec'",
      de: "der Ordner gehört zu 'with: { folder: … }' von 'uses: exec'"),
    Word(
      "needs", ["depends", "depends_on", "dependson", "depends-on", "after", "requires", "dependencies"],
      "name the steps to wait for as 'needs: [step]'", de: "Schritte, auf die gewartet wird, heißen 'needs: [schritt]'"),
    Word(
      "steps", ["jobs", "tasks", "nodes", "stages", "actions", "job", "task", "workflow"],
      "write what runs as a list under 'steps'", de: "die Schritte stehen als Liste unter 'steps'"),
    Word(
      "on", ["schedule", "schedules", "cron", "trigger", "triggers", "events", "every"],
      "write what starts it as 'on: { schedule: { cron: \"0 3 * * *\" } }'",
      de: "den Auslöser als 'on: { schedule: { cron: \"0 3 * * *\" } }' schreiben"),
    Word(
      "inputs", ["params", "parameters", "vars", "variables", "arguments"], "write parameters as 'inputs'",
      de: "Parameter heißen 'inputs'"),
    Word(
      "for_each", ["foreach", "for-each", "loop", "with_items", "loop_control", "each", "split_in_batches"],
      "repeat a step as 'for_each: …'", de: "ein Schritt wird mit 'for_each: …' wiederholt"),
    Word(
      "matrix", ["strategy", "combinations"], "write the lists as 'matrix: { NAME: [value, …] }' at the step",
      de: "die Listen als 'matrix: { NAME: [Wert, …] }' beim Schritt schreiben"),
    Word(
      "steps", ["block", "do", "sequence", "sequential", "group"], "write several steps as 'steps: [ … ]'",
      de: "mehrere Schritte als 'steps: [ … ]' schreiben"),
    Word(
      "else", ["elif", "elseif", "else_if", "else-if", "otherwise"], "write another 'if' under 'else'",
      de: "ein weiteres 'if' unter 'else' schreiben"),
    Word(
      "cases", ["case", "rules", "branches"], "write the steps for each value as 'cases: { VALUE: [ … ] }'",
      de: "die Schritte für jeden Wert als 'cases: { WERT: [ … ] }' schreiben"),
    Word(
      "default", ["defaults", "fallback"], "write the steps for other values as 'default: [ … ]'",
      de: "die Schritte für andere Werte als 'default: [ … ]' schreiben"),
    Word(
      "finally", ["always"], "write 'finally: true' at the steps that always run at the end",
      de: "'finally: true' bei den Schritten schreiben, die am Ende immer laufen"),
    Word(
      "on_error", ["rescue"], "say what happens after a failure as 'on_error: …'",
      de: "was nach einem Fehler geschieht, steht als 'on_error: …'"),
    Word(
      "timeout", ["timeout-minutes", "timeout_minutes", "timeoutsec", "timeout_seconds", "timeoutseconds"],
      "write the limit as 'timeout: 10m'", de: "die Grenze als 'timeout: 10m' schreiben"),
    Word(
      "on_error",
      ["continue-on-error", "continue_on_error", "continueon", "continue_on", "ignore_errors", "allow_failure"],
      "the run goes on after a failure with 'on_error: continue'",
      de: "nach einem Fehler geht der Lauf mit 'on_error: continue' weiter"),
    Word(
      "policy", ["cancel-in-progress", "cancel_in_progress"],
      "a new run cancels the one before with 'concurrency: { group: …, policy: cancel }'",
      de: "ein neuer Lauf bricht den vorigen mit 'concurrency: { group: …, policy: cancel }' ab"),
    Word(
      "attempts", ["max_attempts", "max", "limit", "retries", "count", "times", "maxattempts"],
      "write the number as 'attempts: 3'", de: "die Anzahl als 'attempts: 3' schreiben"),
    Word(
      "backoff", ["delay", "interval", "intervalsec", "wait", "sleep"], "write the pause as 'backoff: 10s'",
      de: "die Pause als 'backoff: 10s' schreiben"),
    Word(
      "retry", ["retries", "retrypolicy", "retry_policy", "max_retries"],
      "write repetitions as 'retry: { attempts: 3 }'",
      de: "Wiederholungen als 'retry: { attempts: 3 }' schreiben"),
    Word(
      "on_failure", ["handleron", "handlers", "onfailure", "on-failure", "errors", "catch"],
      "say what happens after a failure as 'on_failure: …'",
      de: "was nach einem Fehler geschieht, steht als 'on_failure: …'"),
    Word(
      "timezone", ["tz", "time_zone", "zone"], "write the zone as 'timezone: Europe/Zurich'",
      de: "die Zone als 'timezone: Europe/Zurich' schreiben"),
    Word(
      "cron", ["expression", "crontab"], "write cron text as 'cron: \"0 3 * * *\"'",
      de: "Cron-Text als 'cron: \"0 3 * * *\"' schreiben"),
    Word(
      "with", ["args", "params", "parameters", "config", "arguments"], "write values for the action as 'with: { … }'",
      de: "Werte für die Aktion als 'with: { … }' schreiben"),
    Word(
      "every", ["interval", "delay", "pause", "intervalsec", "backoff", "sleep"], "write the pause as 'every: 10s'",
      de: "die Pause als 'every: 10s' schreiben"),
    Word(
      "limit", ["max", "times", "attempts", "max_attempts", "timeout", "retries"],
      "write how often or how long as 'limit: 20' or 'limit: 10m'",
      de: "wie oft oder wie lange als 'limit: 20' oder 'limit: 10m' schreiben"),
    Word(
      "until", ["condition", "when", "if", "while"], "write the condition as 'until: …'",
      de: "die Bedingung als 'until: …' schreiben"),
    Word("name", ["title", "label"], "write it as 'name: …'", de: "das heißt 'name: …'"),
  ]

  /// How Sous says a key of another product; `nil` for other keys, and where the key that is meant is not known.
  static func form(of name: String, among keys: [String]) -> LocalizedText? {
    let name = name.lowercased()
    return words.first { $0.others.contains(name) && keys.contains($0.key) }.map {
      LocalizedText($0.english, de: $0.german)
    }
  }
}
