import Engine
import Expressions
import Foundation
import Localization
import Plans
import RecipeModel

extension BuiltinAction {
  /// `exec`, `exec.read` and `exec.idempotent`: run a program. Only the author of a recipe knows what a program does to the
  /// world, so the effect is in the name of the action; who says nothing gets the one that is never repeated unseen.
  static let execs = [
    exec("exec", .init("Runs a program", de: "Führt ein Programm aus"), effect: .once),
    exec(
      "exec.read",
      .init("Runs a program that changes nothing", de: "Führt ein Programm aus, das nichts verändert"), effect: .read),
    exec(
      "exec.idempotent",
      .init("Runs a program that may run twice", de: "Führt ein Programm aus, das zweimal laufen darf"),
      effect: .idempotent),
  ]

  private static let texts: Value = ["type": "array", "items": ["type": "string"]]
  private static let statuses: Value = [
    "type": "array", "items": ["type": "integer", "minimum": 0, "maximum": 255],
  ]

  private static func exec(_ name: String, _ summary: LocalizedText, effect: Effect) -> BuiltinAction {
    BuiltinAction(
      name, summary, effect: effect, required: ["command"],
      input: [
        "command": [
          "type": "array", "items": ["type": "string"], "minItems": 1,
          "description": "The program and its arguments. No shell reads them.",
        ],
        "input": [
          "anyOf": BuiltinCall.secretText["anyOf"] ?? [],
          "description": "The standard input of the program, or { secret: NAME }; default: empty.",
        ],
        "environment": [
          "type": "object", "additionalProperties": BuiltinCall.secretText,
          "description":
            "Variables beside PATH, HOME, LANG, SOUS_RUN, SOUS_STEP and SOUS_KEY; { secret: NAME } for one.",
        ],
        "inherit": [
          "type": "array", "items": ["type": "string"],
          "description": "Names of further variables that are passed on from the environment of Sous.",
        ],
        "folder": [
          "type": "string", "description": "Where it starts, as seen from the folder of sous.yaml; default: there.",
        ],
        "success": [
          "anyOf": [statuses, ["const": "any"]], "default": [0],
          "description": "The exit statuses that are a success; 'any' for all.",
        ],
        "temporary": [
          "anyOf": [statuses], "default": [],
          "description": "The exit statuses that say: nothing was done, try again later.",
        ],
        "parse": [
          "type": "string", "enum": ["text", "json", "lines", "bytes"], "default": "text",
          "description":
            "The form of `value`, made of the standard output: absent, the value of the JSON, the lines, Base64.",
        ],
        "max_output": [
          "type": "integer", "minimum": 0, "maximum": 67_108_864,
          "description":
            "The bytes that are kept of the output and of the error output each; default: `engine.limits.text` of `sous.yaml`, else 1 MiB.",
        ],
        "stop": [
          "type": "object", "additionalProperties": false,
          "description": "How it is stopped by a cancel or a timeout, before SIGKILL.",
          "properties": [
            "signal": [
              "type": "string", "enum": .list(StopWay.signals.map { .string($0.name) }), "default": "SIGTERM",
              "description": "The signal that its process group gets first.",
            ],
            "after": [
              "type": "string", "format": "duration",
              "description": "How long after the signal SIGKILL follows, at most 10m; default: 5s.",
            ],
          ],
        ],
        "grace": [
          "type": "number", "minimum": 0, "maximum": 600,
          "description": "Seconds between the signal and SIGKILL when it is stopped; the same as 'after' of 'stop'.",
        ],
      ],
      output: [
        "status": ["type": "integer", "description": "The exit status."],
        "stdout": ["type": "string", "description": "Its standard output, invalid UTF-8 replaced."],
        "stderr": ["type": "string", "description": "Its error output, likewise."],
        "truncated": ["type": "boolean", "description": "Whether it has written more than was kept."],
        "value": ["description": "What `parse` has made of the output; absent for 'text'."],
      ], absent: ["value"],
      // A program's effect cannot be looked up.
      verification: { _ in .unknown }
    ) { call in
      let (call, secrets) = try await call.withSecrets()
      return try await ProgramCall(call, secrets: secrets).run()
    }
  }
}

/// A call of `exec`: the program of its input, and what its end means.
struct ProgramCall {
  private static let passedOn = ["PATH", "HOME", "LANG"]

  let program: Program
  private let call: BuiltinCall
  private let name: String
  /// Knows what must not come back in outputs and messages.
  private let mask: SecretMask

  /// Creates a call.
  ///
  /// - Parameter secrets: The secrets in its input.
  init(_ call: BuiltinCall, secrets: [String] = []) throws(ActionFailure) {
    try call.requireText("input")
    try call.requireTexts("environment")
    self.call = call
    let arguments = call.input["command"]?.listValue?.compactMap(\.stringValue) ?? []
    name = arguments.first ?? ""
    let environment = Self.environment(of: call)
    mask = SecretMask(call.surroundings.secretVariables.compactMap { environment[$0] } + secrets)
    let all = arguments + environment.flatMap { [$0.key, $0.value] }
    guard !name.isEmpty, !all.contains(where: { $0.utf8.contains(0) }),
      !environment.keys.contains(where: { $0.isEmpty || $0.contains("=") })
    else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText(
          "the program has no name, or there is a NUL in an argument or a '=' in the name of a variable",
          de: "das Programm hat keinen Namen, oder es steht ein NUL in einem Argument oder ein '=' im Namen einer "
            + "Variable"))
    }
    let folder = call.surroundings.path(call.text("folder"))
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw ActionFailure(
        .notFound,
        LocalizedText("there is no folder '\(folder)'", de: "es gibt keinen Ordner '\(folder)'"))
    }
    program = Program(
      path: try Self.find(name, path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"), arguments: arguments,
      environment: environment, folder: folder, input: call.input["input"]?.stringValue.map { Array($0.utf8) },
      limit: call.textLimit("max_output", default: 1 << 20, most: 64 << 20),
      stop: try StopWay(call),
      note: (call.surroundings.programs, call.request.run.rawValue, call.request.key))
  }

  private static func environment(of call: BuiltinCall) -> [String: String] {
    let ours = call.surroundings.environment
    var environment = ["SOUS_STEP": call.request.step, "SOUS_KEY": call.request.key]
    environment["SOUS_RUN"] = call.request.run.rawValue
    for name in passedOn + (call.input["inherit"]?.listValue?.compactMap(\.stringValue) ?? []) {
      environment[name] = ours[name]
    }
    for name in call.input["inherit"]?.listValue?.compactMap(\.stringValue) ?? [] where ours[name] == nil {
      call.reporter.log(
        .warning, "'inherit' names the variable '\(name)', which is missing in the environment of Sous")
    }
    for (key, value) in call.input["environment"]?.mapValue?.entries ?? [] {
      environment[key.text] = value.stringValue
    }
    return environment
  }

  /// The file of a program: a name with a slash is one, another is looked for along PATH.
  static func find(_ name: String, path: String) throws(ActionFailure) -> String {
    if name.contains("/") { return name }
    for folder in path.split(separator: ":") where folder.hasPrefix("/") {
      let candidate = "\(folder)/\(name)"
      var information = stat()
      if stat(candidate, &information) == 0, information.st_mode & S_IFMT == S_IFREG, access(candidate, X_OK) == 0 {
        return candidate
      }
    }
    throw ActionFailure(
      .notFound,
      LocalizedText("there is no program '\(name)' along PATH", de: "es gibt kein Programm '\(name)' im PATH"))
  }

  /// Runs the program to its end.
  func run() async throws(ActionFailure) -> Value {
    var result = try await program.run(log: ProgramLog(call.reporter, mask))
    do {
      let output = try answer(to: result)
      result.log.finish(hasFailed: false, at: ProgramWatch.now)
      return output
    } catch {
      result.log.finish(hasFailed: true, at: ProgramWatch.now)
      if result.wasStopped {
        call.reporter.log(.warning, "'\(mask(name))' was stopped; it ended with \(result.ending)")
      }
      throw error
    }
  }

  /// The result of the step by the program's exit.
  private func answer(to result: Program.Result) throws(ActionFailure) -> Value {
    // Whatever its status: programs catch SIGTERM and end with 0 in the middle of their work.
    if result.wasStopped { throw failure(.cancelled, of: result) }
    let status: Int
    switch result.ending {
    case .signalled(let signal):
      throw failure(
        ActionFailure(
          .crashed,
          LocalizedText(
            "'\(name)' was ended by signal \(signal)", de: "'\(name)' wurde von Signal \(signal) beendet")
            + lastWords(result)),
        of: result)
    case .exited(let number): status = number
    }
    let success = call.input["success"] ?? [0]
    if success.stringValue != "any", !(success.contains(status) ?? false) {
      let isTemporary = call.input["temporary"]?.contains(status) ?? false
      throw failure(
        ActionFailure(
          isTemporary ? .server : .failed,
          LocalizedText("'\(name)' ended with status \(status)", de: "'\(name)' endete mit Status \(status)")
            + lastWords(result)),
        of: result)
    }
    var output: ValueMap = [
      "status": .int(Int64(status)), "stdout": .string(masked(result.output)),
      "stderr": .string(masked(result.errors)),
      "truncated": .bool(result.output.isTruncated || result.errors.isTruncated),
    ]
    do {
      output["value"] = try value(of: result)
    } catch {
      throw failure(error, of: result)
    }
    return .map(output)
  }

  /// The most characters of the output, and of the error output, that a failure keeps: the last ones.
  private static let longestFailureText = 64 << 10

  /// A failure with the output of the program, for later steps.
  private func failure(_ failure: ActionFailure, of result: Program.Result) -> ActionFailure {
    var output: ValueMap = ["status": .null, "signal": .null]
    switch result.ending {
    case .exited(let status): output["status"] = .int(Int64(status))
    case .signalled(let signal): output["signal"] = .int(Int64(signal))
    }
    output["stdout"] = .string(lastText(result.output))
    output["stderr"] = .string(lastText(result.errors))
    var failure = failure
    failure.output = .map(output)
    return failure
  }

  /// The most bytes that a secret takes whose beginning was cut off: 128 bytes of it, each as an entity of HTML or with a
  /// separator. What follows is found in pieces.
  private static let longestCutSecret = 4 << 10

  /// The last part of the program's output. First the secrets, then the cut, which could leave half of one.
  private func lastText(_ captured: Program.Captured) -> String {
    var text = mask(String(decoding: captured.lastPart, as: UTF8.self))
    // The last part may begin in the middle of a secret.
    if !captured.isLastPartWhole { text = String(decoding: text.utf8.dropFirst(Self.longestCutSecret), as: UTF8.self) }
    return text.utf8.count > Self.longestFailureText ? String(text.suffix(Self.longestFailureText)) : text
  }

  private func value(of result: Program.Result) throws(ActionFailure) -> Value? {
    let parse = call.text("parse")
    guard ["json", "lines", "bytes"].contains(parse) else {
      if String(validating: result.output.bytes, as: UTF8.self) == nil, !result.output.isTruncated {
        call.reporter.log(
          .warning,
          "the output of '\(mask(name))' is not UTF-8 text: characters were replaced; 'parse: bytes' keeps it as Base64"
        )
      }
      return nil
    }
    // The program has done its work: that its output is of no use leaves nothing uncertain.
    guard !result.output.isTruncated else {
      throw ActionFailure(
        .badOutput,
        LocalizedText(
          "'\(name)' has written more than \(program.limit) bytes",
          de: "'\(name)' hat mehr als \(program.limit) Byte ausgegeben"),
        advice: BuiltinCall.raising("max_output"))
    }
    if parse == "bytes" { return .string(Data(mask(result.output.bytes)).base64EncodedString()) }
    if parse == "json" {
      do {
        return mask(try BuiltinAction.parsed(json: String(decoding: result.output.bytes, as: UTF8.self)))
      } catch {
        throw ActionFailure(
          .badOutput,
          LocalizedText("the output of '\(name)' is not JSON: ", de: "was '\(name)' ausgegeben hat, ist kein JSON: ")
            + mask(error.message))
      }
    }
    var lines = masked(result.output).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return .list(lines.map { .string(String($0)) })
  }

  /// The output of a program as text, without secrets.
  private func masked(_ captured: Program.Captured) -> String {
    let text = String(decoding: captured.bytes, as: UTF8.self)
    // The end may be the beginning of a secret that was cut off.
    return captured.isTruncated ? mask.split(text).masked : mask(text)
  }

  /// The last line of the error output, shortened, for messages.
  private func lastWords(_ result: Program.Result) -> LocalizedText {
    // First the secrets, then the cut, which could leave half of one.
    let text = lastText(result.errors).suffix(4096)
    guard let line = text.split(whereSeparator: \.isNewline).last(where: { $0.contains { !$0.isWhitespace } }) else {
      return LocalizedText(verbatim: "")
    }
    return LocalizedText(verbatim: ": " + line.prefix(200).filter { !($0.asciiValue.map { $0 < 0x20 } ?? false) })
  }
}

extension Value {
  /// Whether a list has a number; `nil` if this is not a list.
  fileprivate func contains(_ number: Int) -> Bool? {
    listValue?.contains { $0.intValue == Int64(number) }
  }
}
