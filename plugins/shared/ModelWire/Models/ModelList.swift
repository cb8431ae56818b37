public import PluginKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The list of a service's models, `GET /models`.
public enum ModelList {
  /// Asks for the list.
  ///
  /// - Returns: The output of `chat.models`, sorted by id.
  /// - Throws: As the service answers; `parse` for what is not a list.
  public static func ask(_ service: ModelService, context: ActionContext) async throws(ActionError) -> JSONValue {
    let value = try await service.json(
      try await service.send("/models", nil, model: nil, context: context), model: nil)
    // Some servers send the list without the object around it.
    guard let data = value["data"]?.array ?? value.array else {
      throw ActionError(
        .parse, "\(service.host) sent no list of models.", german: "\(service.host) schickte keine Liste von Modellen.")
    }
    return output(data.compactMap(model))
  }

  /// The output of `chat.models`, sorted by id, each id once.
  public static func output(_ models: [JSONObject]) -> JSONValue {
    var seen: Set<String> = []
    let sorted = models.filter { seen.insert($0["id"]?.string ?? "").inserted }
      .sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") }
    return ["models": .array(sorted.map(JSONValue.object))]
  }

  /// `{id, created, owned_by, max_context_length?, capabilities?}` in the contract's words; `nil` without id.
  private static func model(_ value: JSONValue) -> JSONObject? {
    guard let id = value["id"]?.string ?? value.string, !id.isEmpty else { return nil }
    var members: JSONObject = ["id": .string(id)]
    if let owner = value["owned_by"]?.string, !owner.isEmpty { members["owner"] = .string(owner) }
    if let created = TokenUsage.count(value["created"]), created > 0, created < 253_402_300_800 {
      members["created"] = .string(Date(timeIntervalSince1970: Double(created)).formatted(.iso8601))
    }
    for key in ["max_context_length", "max_model_len", "context_length"] {
      if let context = TokenUsage.count(value[key]), context > 0 { members["context"] = .integer(context) }
    }
    switch value["capabilities"] {
    case .object(let flags):
      members["capabilities"] = .array(flags.filter { $0.value == true }.map(\.key).sorted().map(JSONValue.string))
    case .array(let names): members["capabilities"] = .array(names.filter { $0.string != nil })
    default: break
    }
    return members
  }
}
