import Engine
import Expressions
import Localization
import Plans

extension BuiltinAction {
  /// `mail.note`: notes that a message is about to be sent, unless another run has.
  ///
  /// A note is the name of the run, behind the time where a sender may be answered again after a while (`within`).
  static let mailNote = BuiltinAction(signature: .note) { call in
    let (key, run, recipe) = (call.text("key"), call.request.run.rawValue, call.request.recipe)
    let now = call.surroundings.time.now
    let within = call.input["within"]?.doubleValue ?? call.input["within"]?.intValue.map(Double.init)
    let note = within == nil ? run : "\(now.rfc3339) \(run)"
    let isFree = { @Sendable (note: String?) -> Bool in
      guard let note, !note.hasSuffix(run), note != SentMessages.failed else { return true }
      guard let within, let time = SentMessages.time(of: note) else { return false }
      return now.seconds(since: time) >= within
    }
    let isClaimed = try await call.sentMessages { state in
      guard isFree(try SentMessages.note(of: key, before: recipe, in: state)) else { return false }
      return try state.claim(key, with: .string(note), in: SentMessages.space(of: key)) { isFree($0?.stringValue) }
        == nil
    }
    if isClaimed { return [:] }
    throw ActionFailure(
      .failed,
      LocalizedText("another run has sent it meanwhile", de: "ein anderer Lauf hat sie inzwischen gesendet"))
  }

  /// `mail.noted`: puts what became of a message in the place of its note.
  static let mailNoted = BuiltinAction(signature: .noted) { call in
    let value = call.input["value"] ?? .null
    let keys = call.input["keys"]?.listValue?.compactMap(\.stringValue) ?? [call.text("key")]
    let recipe = call.request.recipe
    try await call.sentMessages { state in
      // Earlier versions recorded this in the recipe's own state.
      if value.isNull {
        var old: [String] = []
        for key in keys where try state.value(of: key, in: recipe) != nil { old.append(key) }
        if !old.isEmpty { try state.set(old, to: nil, in: recipe) }
      }
      try SentMessages.set(keys, to: value.isNull ? nil : value, in: state)
    }
    return [:]
  }

  /// `mail.claim`: notes of several messages that something is about to be done with them, each unless another run has.
  static let mailClaim = BuiltinAction(signature: .claim) { call in
    func texts(_ name: String) -> [String] { call.input[name]?.listValue?.compactMap(\.stringValue) ?? [] }
    let (uids, run) = (texts("uids"), call.request.run.rawValue)
    let (wanted, recipe) = (Set(uids), call.request.recipe)
    let pairs = zip(texts("of"), texts("keys")).filter { wanted.contains($0.0) }
    let keys = pairs.map(\.1)
    let noted = try await call.sentMessages { state in
      try SentMessages.claim(keys, for: run, before: recipe, in: state)
    }
    let claimed = pairs.filter { noted.contains($0.1) }
    let others = Set(pairs.map(\.0)).subtracting(claimed.map(\.0))
    return [
      "rest": .list(uids.filter { !others.contains($0) }.map { .string($0) }),
      "uids": .list(claimed.map { .string($0.0) }), "keys": .list(claimed.map { .string($0.1) }),
    ]
  }

  /// `mail.outcome`: what failed for which message of a rule, and for which nothing did.
  static let mailOutcome = BuiltinAction(signature: .outcome) { call in
    // Nor is anything done for what a rule before has failed with: it would be out of the folder before that is made up for.
    var held = Set(
      (call.input["held"]?.listValue ?? []).flatMap { $0.listValue ?? [] }.compactMap(\.stringValue))
    var told: Set<[String]> = []
    var failed: [Value] = []
    for part in call.input["parts"]?.listValue ?? [] {
      let action = part["action"]?.stringValue ?? ""
      for item in part["items"]?.listValue ?? [] where item["status"]?.stringValue != "succeeded" {
        let uid = item["item"]?["uid"]?.stringValue ?? ""
        if part["holds"]?.boolValue == true { held.insert(uid) }
        // The first failure is the cause of those after it.
        guard told.insert([uid, action]).inserted else { continue }
        var entry: ValueMap = ["uid": .string(uid), "rule": .string(call.text("rule")), "action": .string(action)]
        entry.set("error", to: LocalizedText(of: item["error"], "message") ?? LocalizedText(verbatim: ""))
        failed.append(.map(entry))
      }
    }
    let uids = (call.input["uids"]?.listValue ?? []).filter { !held.contains($0.stringValue ?? "") }
    return [
      "uids": .list(uids), "held": .list(held.sorted().map { .string($0) }), "failed": .list(failed),
    ]
  }

  /// `mail.result`: fails where a filter could not do all that it decided.
  static let mailResult = BuiltinAction(signature: .filterResult) { call in
    var lines: [LocalizedText] = []
    for failure in (call.input["failed"]?.listValue ?? []).flatMap({ $0.listValue ?? [] }) {
      func text(_ key: String) -> String { failure[key]?.stringValue ?? "" }
      lines.append(
        LocalizedText(
          "\(text("action")) (rule \(text("rule"))) of message \(text("uid")): ",
          de: "\(text("action")) (Regel \(text("rule"))) bei Nachricht \(text("uid")): ") + reason(failure, "error"))
    }
    for change in call.input["changes"]?.listValue ?? [] {
      guard let error = LocalizedText(of: change["error"], "message") else { continue }
      if let account = change["account"]?.stringValue {
        lines.append(LocalizedText("account \(account): ", de: "Konto \(account): ") + error)
        continue
      }
      let (action, rule) = (change["action"]?.stringValue ?? "", change["rule"]?.stringValue ?? "")
      lines.append(LocalizedText("\(action) (rule \(rule)): ", de: "\(action) (Regel \(rule)): ") + error)
    }
    let left = (call.input["left"]?.listValue ?? []).flatMap { $0.listValue ?? [] }
    for entry in left {
      call.reporter.log(
        .warning, "message \(entry["uid"]?.stringValue ?? "") is skipped: \(entry["reason"]?.stringValue ?? "")")
    }
    for entry in left where entry["failed"]?.boolValue == true {
      let uid = entry["uid"]?.stringValue ?? ""
      lines.append(LocalizedText("message \(uid): ", de: "Nachricht \(uid): ") + reason(entry, "reason"))
    }
    let undecided = (call.input["undecided"]?.listValue ?? []).flatMap { $0.listValue ?? [] }
    var parts: [LocalizedText] = []
    if !lines.isEmpty {
      parts.append(
        LocalizedText("not everything could be done: ", de: "nicht alles ließ sich tun: ") + firstOf(lines))
    }
    if !undecided.isEmpty {
      let count = LocalizedText.count(
        undecided.count, "message stays, as nothing could be decided about it: ",
        "messages stay, as nothing could be decided about them: ",
        de: "Nachricht bleibt, denn über sie ließ sich nichts entscheiden: ",
        "Nachrichten bleiben, denn über sie ließ sich nichts entscheiden: ")
      let reasons = undecided.map { entry in
        let (uid, rule) = (entry["uid"]?.stringValue ?? "", entry["rule"]?.stringValue ?? "")
        // No rule has judged a message that the provider cannot read.
        let place = LocalizedText("\(uid) (rule \(rule)): ", de: "\(uid) (Regel \(rule)): ")
        return (rule.isEmpty ? LocalizedText(verbatim: "\(uid): ") : place) + reason(entry, "error")
      }
      parts.append(count + firstOf(reasons))
    }
    guard let first = parts.first else {
      guard let gone = left.first(where: { $0["gone"]?.boolValue == true }) else { return [:] }
      // The filter has done nothing, so the run must not count as succeeded.
      let uid = gone["uid"]?.stringValue ?? ""
      var failure = ActionFailure(
        .notFound, LocalizedText("message \(uid): ", de: "Nachricht \(uid): ") + reason(gone, "reason"))
      failure.skipsRun = true
      throw failure
    }
    throw ActionFailure(
      .failed, parts.dropFirst().reduce(first) { $0 + LocalizedText(verbatim: "; ") + $1 },
      advice: LocalizedText(
        "all else is done; 'sous retry RUN' or the next run of this filter tries again what failed, also if another filter has moved "
          + "the message",
        de:
          "alles andere ist getan; 'sous retry RUN' oder der nächste Lauf dieses Filters versucht noch einmal, was "
          + "scheiterte, auch wenn ein anderer Filter die Nachricht verschoben hat"))
  }

  /// The reason that an entry of an earlier step has, in both languages.
  private static func reason(_ entry: Value, _ name: String) -> LocalizedText {
    LocalizedText(of: entry, name) ?? LocalizedText(verbatim: "")
  }

  /// The first five of some lines, and how many more there are.
  private static func firstOf(_ lines: [LocalizedText]) -> LocalizedText {
    let shown = lines.dropFirst().prefix(4).reduce(lines.first ?? LocalizedText(verbatim: "")) {
      $0 + LocalizedText(verbatim: "; ") + $1
    }
    guard lines.count > 5 else { return shown }
    return shown + LocalizedText("; and \(lines.count - 5) more", de: "; und \(lines.count - 5) weitere")
  }
}
