/// Finds the arguments of a command that are the text of a program, such as the one after `sh -c`.
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

    /// The options before the text of a program: their letters, and their long forms.
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

  /// The interpreter with its option, for messages: `sh -c`.
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
    // A program whose name is an expression counts as a shell.
    let isUnknown = first?.contains("{{") ?? true
    guard isUnknown || Self.language(of: name) != nil || Self.wrappers.contains(name) else { return }
    let isOwn = isUnknown || Self.language(of: name) != nil
    let start = isOwn ? 0 : words.firstIndex { $0.flatMap { Self.language(of: Self.name($0)) } != nil }
    if let start {
      let word = words[start] ?? ""
      language = Self.language(of: Self.name(word)) ?? .shell
      findTexts(in: words, after: start, isUnknown ? "sh" : Self.name(word))
    } else if ["su", "runuser", "script", "flock"].contains(name) {
      language = .shell
      let option = words.firstIndex { $0 == "-c" || $0 == "--command" }
      if let option { add(words, option + 1, "\(name) -c") }
    }
  }

  /// Finds the texts behind an interpreter.
  private mutating func findTexts(in words: [String?], after start: Int, _ name: String) {
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
            // The text is the first argument after `-c` that is not an option.
            var next = index + 1
            while next < words.count, let word = words[next], word.hasPrefix("-") || word.hasPrefix("+") {
              next += word.hasSuffix("o") ? 2 : 1
            }
            add(words, next, option)
            return
          default:
            // The text may be in the same argument, as in `-e1`.
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
        // A file, or for awk the text itself. The rest are arguments of that program.
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

  /// The language of an interpreter; `nil` for other programs.
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
