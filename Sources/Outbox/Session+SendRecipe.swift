import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import Schedules
public import UseCases

extension Project {
  /// The messages of runs of a recipe of kind `send` that have to wait before they go out, made from its text as it is now;
  /// `nil` where the recipe is of another kind, or goes out at once.
  ///
  /// - Throws: ``UseCaseError`` where an expression, an address, a file or the time is wrong.
  public func mails(of order: CheckedOrder) throws(UseCaseError) -> [CheckedMail]? {
    guard let dispatch = order.plan.dispatch, let due = order.plan.steps.first, let send = order.plan.steps.last else {
      return nil
    }
    // Checked here, because a later run of its own sends the message.
    if let allowed = order.plan.runPermissions(keywords: order.requests.first?.keywords ?? [:]),
      let missing = send.demands.subtracting(allowed).min()
    {
      throw UseCaseError(
        .init(rawValue: ActionFailure.Kind.auth.rawValue),
        LocalizedText(
          "the message is not queued: it needs the permission '\(missing.rawValue)'; add it to 'permissions' of the recipe, "
            + "or run the recipe without --deny \(missing.rawValue)",
          de:
            "die Nachricht wird nicht eingereiht: Sie braucht die Erlaubnis '\(missing.rawValue)'; diese in 'permissions' "
            + "des Rezepts aufnehmen oder das Rezept ohne --deny \(missing.rawValue) ausführen"))
    }
    let now = SystemTime().now
    let undo = dispatch.undoFor ?? configuration.outbox.undoFor
    var mails: [CheckedMail] = []
    for request in order.requests {
      let at = try order.plan.value(of: due, request, at: now)["at"]?.stringValue ?? ""
      let moment: SendMoment?
      do throws(ScheduleError) {
        moment = at.isEmpty ? nil : try SendMoment(at, now: now)
      } catch {
        throw .wrongInput(LocalizedText(verbatim: "'send_at': ") + error.text)
      }
      if let moment, !moment.isNow, now.seconds(since: moment.time) > configuration.outbox.late {
        throw .wrongInput(
          LocalizedText(
            "'send_at' is past: \(moment.time.spokenLocalTime); change it, or leave it out to send at once",
            de: "'send_at' ist vorbei: \(moment.time.spokenLocalTime); ändern, oder zum sofortigen Senden weglassen"))
      }
      // One whose time has just passed goes out at once.
      let isWaiting = moment.map { $0.time > now } ?? false || undo > 0 && moment?.isNow != true
      guard isWaiting || order.requests.count > 1 else { return nil }
      let message = try order.plan.value(of: send, request, at: now).asMessage
      var mail = MailOrder(
        message, providers: send.providers, at: moment.flatMap { $0.time > now || $0.isNow ? $0 : nil },
        undoFor: dispatch.undoFor, name: order.plan.name)
      mail.id = request.id
      mail.isOfRecipe = true
      mail.settings = OutboxRecipe.settings(of: order.plan.source ?? "")
      mails.append(try check(mail))
    }
    return mails
  }
}

extension Plan {
  /// The input of a step that speaks of no other step.
  fileprivate func value(of step: PlanStep, _ request: RunRequest, at now: Timestamp) throws(UseCaseError) -> Value {
    do throws(ExpressionError) {
      return try input(of: step, request, at: now)
    } catch {
      throw .wrongInput(LocalizedText("the message: ", de: "die Nachricht: ") + error.message)
    }
  }
}

extension Value {
  /// A map of the fields of a message without those that are null; one recipient is a list of one.
  var asMessage: Value {
    guard case .map(let map) = self else { return self }
    var fields = ValueMap()
    for entry in map.entries where !entry.value.isNull {
      guard case .string(let name) = entry.key else { continue }
      let isOne = ["to", "cc", "bcc"].contains(name) && entry.value.stringValue != nil
      fields[name] = isOne ? .list([entry.value]) : entry.value
    }
    return .map(fields)
  }
}
