import Engine
import Expressions
import Localization
import Recipes

extension BuiltinAction {
  /// `mail.note`: notes that a message is about to be sent, unless another run has.
  ///
  /// A note is the name of the run, behind the time where a sender may be answered again after a while (`within`).
  static let mailNote = BuiltinAction(signature: .note) { (call) throws(ActionFailure) in
    let (key, run) = (call.text("key"), call.request.run.rawValue)
    let now = call.surroundings.time.now
    let within = call.input["within"]?.doubleValue ?? call.input["within"]?.intValue.map(Double.init)
    let note = within == nil ? run : "\(now.rfc3339) \(run)"
    let other = try await call.state { (state, recipe) throws(StorageFailure) in
      try state.claim(key, with: .string(note), in: recipe) { old in
        guard let text = old?.stringValue, !text.hasSuffix(run) else { return true }
        guard let within, let time = SentMessages.time(of: text) else { return false }
        return now.seconds(since: time) >= within
      }
    }
    guard other != nil else { return [:] }
    throw ActionFailure(
      .failed,
      LocalizedText("another run has sent it meanwhile", de: "ein anderer Lauf hat sie inzwischen gesendet"))
  }

  /// `mail.outcome`: what failed for which message of a rule, and for which nothing did.
  static let mailOutcome = BuiltinAction(signature: .outcome) { (call) throws(ActionFailure) in
    var held: Set<String> = []
    var told: Set<[String]> = []
    var failed: [Value] = []
    for part in call.input["parts"]?.listValue ?? [] {
      let action = part["action"]?.stringValue ?? ""
      for item in part["items"]?.listValue ?? [] where item["status"]?.stringValue != "succeeded" {
        let uid = item["item"]?["uid"]?.stringValue ?? ""
        if part["holds"]?.boolValue == true { held.insert(uid) }
        // The first failure is the cause of those after it.
        guard told.insert([uid, action]).inserted else { continue }
        failed.append([
          "uid": .string(uid), "rule": .string(call.text("rule")), "action": .string(action),
          "error": item["error"]?["message"] ?? "",
        ])
      }
    }
    let uids = (call.input["uids"]?.listValue ?? []).filter { !held.contains($0.stringValue ?? "") }
    return ["uids": .list(uids), "failed": .list(failed)]
  }

  /// `mail.result`: fails where a filter could not do all that it decided.
  static let mailResult = BuiltinAction(signature: .filterResult) { (call) throws(ActionFailure) in
    var lines: [LocalizedText] = []
    for failure in (call.input["failed"]?.listValue ?? []).flatMap({ $0.listValue ?? [] }) {
      func text(_ key: String) -> String { failure[key]?.stringValue ?? "" }
      lines.append(
        LocalizedText(
          "\(text("action")) (rule \(text("rule"))) of message \(text("uid")): \(text("error"))",
          de: "\(text("action")) (Regel \(text("rule"))) bei Nachricht \(text("uid")): \(text("error"))"))
    }
    for change in call.input["changes"]?.listValue ?? [] {
      guard let error = change["error"]?["message"]?.stringValue else { continue }
      let (action, rule) = (change["action"]?.stringValue ?? "", change["rule"]?.stringValue ?? "")
      lines.append(
        LocalizedText("\(action) (rule \(rule)): \(error)", de: "\(action) (Regel \(rule)): \(error)"))
    }
    guard let first = lines.first else { return [:] }
    var message =
      LocalizedText("not everything could be done: ", de: "nicht alles ließ sich tun: ") + first
    for line in lines.dropFirst().prefix(4) { message = message + LocalizedText(verbatim: "; ") + line }
    if lines.count > 5 {
      message =
        message + LocalizedText("; and \(lines.count - 5) more", de: "; und \(lines.count - 5) weitere")
    }
    throw ActionFailure(
      .failed, message,
      advice: LocalizedText(
        "all else is done; what failed stays where it is, and the next run tries it again",
        de: "alles andere ist getan; was scheiterte, bleibt, wo es ist, und der nächste Lauf versucht es noch einmal"))
  }
}
