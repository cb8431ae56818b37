import Engine
import Expressions
import Localization
import Plans

extension BuiltinAction {
  /// `notify.command`: runs a program that notifies a person. Plugins cannot run programs, so this is not part of the contract
  /// `notify`.
  static let notifyCommand = BuiltinAction(
    "notify.command",
    .init("Runs a program that notifies a person", de: "Führt ein Programm aus, das Bescheid gibt"), effect: .once,
    required: ["command"],
    input: [
      "command": [
        "type": "array", "items": ["type": "string"], "minItems": 1,
        "description": "The program and its arguments. No shell reads them.",
      ]
    ],
    output: ["status": ["type": "integer", "description": "The exit status."]],
    // A program's effect cannot be looked up.
    verification: { _ in .unknown }
  ) { call in
    ["status": try await ProgramCall(call).run()["status"] ?? .int(0)]
  }
}
