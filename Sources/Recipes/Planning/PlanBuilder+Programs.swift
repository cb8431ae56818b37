import Expressions
import Localization

extension PlanBuilder {
  /// Warns of an expression inside the text of a program (`sh -c`, `python -c`): what a stranger has written, as the subject
  /// of a message, becomes code. Values belong into `environment` or into arguments behind the text.
  ///
  /// - Parameter shape: The step's input, as far as it is known.
  func checkProgramText(of step: Recipe.Step, _ action: ActionSignature, _ shape: Value) {
    guard action.isProgram || action.name == "notify.command", let input = step.input?.mapping,
      let elements = input["command"]?.sequence
    else { return }
    let command = ProgramText(elements.map { $0.scalar?.text })
    var texts = command.texts.map { (node: elements[$0.index], text: $0.text, shape: shape["command"]?[$0.index]) }
    if command.readsInput, let node = input["input"] {
      texts.append((node, node.scalar?.text ?? "", shape["input"]))
    }
    for (node, text, shape) in texts {
      guard let expression = Self.firstExpression(of: text), shape.map(Self.maySayAnything) ?? true else { continue }
      let name = Self.variable(for: expression)
      let form = "environment: { \(name): \"{{ \(expression) }}\" }"
      let use = command.language.reading(name)
      reader.report(
        .programText,
        LocalizedText(
          "the value of '{{ \(expression) }}' becomes a part of the program that '\(command.interpreter)' runs, so the "
            + "author of the value can run commands: pass it by '\(form)' and read it there as '\(use)'",
          de:
            "der Wert von '{{ \(expression) }}' wird Teil des Programms, das '\(command.interpreter)' ausführt; sein "
            + "Verfasser kann so Befehle ausführen: mit '\(form)' übergeben und dort als '\(use)' lesen"),
        at: node.range, severity: .warning)
    }
  }

  /// The first expression of a text, without its braces and shortened; `nil` if there is none.
  private static func firstExpression(of text: String) -> String? {
    guard let begin = text.firstRange(of: "{{") else { return nil }
    let rest = text[begin.upperBound...]
    guard let end = rest.firstRange(of: "}}") else { return nil }
    let words = rest[..<end.lowerBound].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 60 ? String(words.prefix(60)) + "…" : words
  }

  /// Whether a value of a type can be a text: numbers and truth values hold no commands.
  private static func maySayAnything(_ shape: Value) -> Bool {
    guard case .type(let type) = shape else { return true }
    return type != .int && type != .bool && type != .double
  }

  /// A name for a variable that holds the value of an expression: `SUBJECT` for `inputs.subject`.
  private static func variable(for expression: String) -> String {
    let names = expression.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
    let last = names.last { $0.first?.isNumber == false && $0.count > 1 || names.count == 1 } ?? names.last ?? "VALUE"
    let name = last.uppercased()
    let isOwn = ["PATH", "HOME", "LANG", "IFS", "ENV"].contains(name) || name.first?.isLetter != true
    return isOwn ? "VALUE" : name
  }
}

/// Which arguments of a command are the text of a program.
struct ProgramText {
  /// How a program is given and reads its environment.
  enum Language {
    case shell, python, perl, ruby, node, php, awk, lua, other

    /// How a text in the language reads a variable of the environment.
    func reading(_ name: String) -> String {
      switch self {
      case .shell: "\"$\(name)\""
      case .python: "os.environ[\"\(name)\"]"
      case .perl: "$ENV{\(name)}"
      case .ruby: "ENV[\"\(name)\"]"
      case .node: "process.env.\(name)"
      case .php: "getenv(\"\(name)\")"
      case .awk: "ENVIRON[\"\(name)\"]"
      case .lua: "os.getenv(\"\(name)\")"
      case .other: "$\(name)"
      }
    }

    /// The letters of options that a text follows, and their long forms.
    fileprivate var options: (letters: String, long: [String]) {
      switch self {
      case .shell: ("c", ["--command", "-Command", "-EncodedCommand"])
      case .python: ("c", [])
      case .perl: ("eE", [])
      case .ruby, .lua: ("e", [])
      case .node: ("ep", ["--eval", "--print"])
      case .php: ("rBRE", ["--run", "--process-begin", "--process-code", "--process-end"])
      case .awk: ("e", ["--source"])
      case .other: ("e", ["--eval", "--expr"])
      }
    }
  }

  /// Programs that run another one, which is named among their arguments.
  private static let wrappers: Set<String> = [
    "env", "sudo", "doas", "nice", "ionice", "nohup", "setsid", "timeout", "stdbuf", "chroot", "flock", "time", "xargs",
    "find", "parallel", "ssh", "docker", "podman", "kubectl", "busybox", "toybox", "runuser", "su", "systemd-run",
    "unshare", "nsenter", "bwrap", "firejail", "chrt", "taskset", "script", "watch", "strace", "exec", "command",
  ]

  /// What runs the text, for people: `sh -c`.
  private(set) var interpreter = ""
  private(set) var language = Language.other
  /// The texts, by their positions in the command.
  private(set) var texts: [(index: Int, text: String)] = []
  /// Whether the program is read from standard input.
  private(set) var readsInput = false

  /// - Parameter words: The command; `nil` for what is not a text.
  init(_ words: [String?]) {
    guard let first = words.first else { return }
    let name = first.map(Self.name) ?? ""
    if name == "env", let split = words.firstIndex(where: { $0?.hasPrefix("-S") == true || $0 == "--split-string" }) {
      interpreter = "env -S"
      language = .shell
      for index in split..<words.count { texts.append((index, words[index] ?? "")) }
      return
    }
    // One that is not known before the run is taken for a shell.
    let isUnknown = first?.contains("{{") ?? true
    guard isUnknown || Self.language(of: name) != nil || Self.wrappers.contains(name) else { return }
    let isOwn = isUnknown || Self.language(of: name) != nil
    let start = isOwn ? 0 : words.firstIndex { $0.flatMap { Self.language(of: Self.name($0)) } != nil }
    if let start {
      let word = words[start] ?? ""
      language = Self.language(of: Self.name(word)) ?? .shell
      take(words, after: start, isUnknown ? "sh" : Self.name(word))
    } else if ["su", "runuser", "script", "flock"].contains(name) {
      language = .shell
      let option = words.firstIndex { $0 == "-c" || $0 == "--command" }
      if let option { add(words, option + 1, "\(name) -c") }
    }
  }

  /// Finds the texts behind an interpreter.
  private mutating func take(_ words: [String?], after start: Int, _ name: String) {
    interpreter = name
    let (letters, long) = language.options
    var index = start + 1
    var hasFile = false
    while index < words.count {
      let word = words[index] ?? ""
      if long.contains(word) {
        add(words, index + 1, name + " " + word)
        index += 2
        continue
      }
      if let option = long.first(where: { word.hasPrefix($0 + "=") }) {
        add(words, index, name + " " + option)
      } else if word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 1 {
        if let letter = word.dropFirst().firstIndex(where: letters.contains) {
          let behind = word[word.index(after: letter)...]
          let option = "\(name) -\(word[letter])"
          switch language {
          case .shell:
            // `-c` takes no value of its own: the text is the first argument that is no option.
            var next = index + 1
            while next < words.count, let word = words[next], word.hasPrefix("-") || word.hasPrefix("+") {
              next += word.hasSuffix("o") ? 2 : 1
            }
            add(words, next, option)
            return
          default:
            // The text may stand in the same argument.
            let isNext = behind.allSatisfy(letters.contains)
            add(words, isNext ? index + 1 : index, option)
            if language == .python { return }
            index += isNext ? 2 : 1
            continue
          }
        }
        if language == .shell, word.hasSuffix("o") { index += 1 }
        if word == "-f" || word == "--file", language == .awk { hasFile = true }
        if language == .awk, word == "-v" || word == "-F" || word == "-f" { index += 1 }
      } else if !word.hasPrefix("-"), !word.hasPrefix("+") {
        // A file, or for awk the text itself; what follows are its arguments.
        if language == .awk, !hasFile, texts.isEmpty { add(words, index, name) }
        return
      } else if word == "-" {
        break
      }
      index += 1
    }
    readsInput = texts.isEmpty && language != .awk
  }

  private mutating func add(_ words: [String?], _ index: Int, _ option: String) {
    guard words.indices.contains(index) else { return }
    interpreter = option
    texts.append((index, words[index] ?? ""))
  }

  /// The name of a program without its folder.
  private static func name(_ word: String) -> String {
    String(word.split(separator: "/", omittingEmptySubsequences: true).last ?? "")
  }

  /// The language that a program reads; `nil` for one that is not known to take texts of programs.
  private static func language(of name: String) -> Language? {
    // Without its version: python3.11, lua5.4.
    let plain = String(name.prefix { !$0.isNumber && $0 != "." })
    switch plain {
    case "sh", "bash", "dash", "zsh", "ksh", "mksh", "lksh", "ash", "rbash", "yash", "fish", "csh", "tcsh", "elvish",
      "nu", "pwsh", "powershell":
      return .shell
    case "python", "pypy", "ipython": return .python
    case "perl", "raku": return .perl
    case "ruby", "jruby": return .ruby
    case "node", "nodejs", "bun", "deno": return .node
    case "php": return .php
    case "awk", "gawk", "mawk", "nawk": return .awk
    case "lua", "luajit": return .lua
    case "Rscript", "R", "julia", "elixir", "osascript", "scala", "groovy", "guile", "tclsh", "emacs": return .other
    default: return nil
    }
  }
}
