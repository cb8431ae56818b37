import Expressions

extension LanguageSession {
  /// Handles a notification.
  ///
  /// - Returns: The messages to send, mostly diagnostics.
  mutating func notify(_ method: String, _ parameters: Value) -> [Value] {
    if method == "exit" {
      exitStatus = isShutDown ? 0 : 1
      return []
    }
    guard isInitialized, !isShutDown else { return [] }
    let item = parameters["textDocument"]
    let uri = item?["uri"]?.stringValue ?? ""
    switch method {
    case "initialized":
      return watchRequest.map { [$0] } ?? []
    case "textDocument/didOpen":
      guard let text = item?["text"]?.stringValue else { return [] }
      let path = FileAddress.path(of: uri)
      documents[uri] = OpenDocument(
        uri: uri, path: path, version: item?["version"]?.intValue, text: text,
        isNamedConfiguration: path == surroundings.configurationPath)
      return changed(uri)
    case "textDocument/didChange":
      guard var document = documents[uri] else { return [] }
      document.version = item?["version"]?.intValue
      for change in parameters["contentChanges"]?.listValue ?? [] { apply(change, to: &document) }
      document.readTree()
      documents[uri] = document
      return changesAgain(uri) ? [] : changed(uri)
    case "textDocument/didSave", "workspace/didChangeWatchedFiles":
      // A preset, a plugin or the configuration may be another now.
      return refreshAll()
    case "workspace/didChangeWorkspaceFolders":
      let event = parameters["event"]
      let paths = { (key: String) -> [String] in
        (event?[key]?.listValue ?? []).compactMap { $0["uri"]?.stringValue }.map { FileAddress.path(of: $0) }
          .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      }
      let removed = paths("removed")
      folders = folders.filter { !removed.contains($0) } + paths("added")
      return refreshAll()
    case "textDocument/didClose":
      return closed(uri)
    default:
      return []
    }
  }

  private func apply(_ change: Value, to document: inout OpenDocument) {
    guard let text = change["text"]?.stringValue else { return }
    guard let range = change["range"] else {
      document.buffer = TextBuffer(text)
      return
    }
    guard let start = offset(range["start"], in: document.buffer), let end = offset(range["end"], in: document.buffer)
    else { return }
    document.buffer.replace(min(start, end)..<max(start, end), with: text)
  }

  // MARK: Affected documents

  private mutating func refreshAll() -> [Value] {
    projects = [:]
    return refresh(documents.keys.sorted())
  }

  private mutating func changed(_ uri: String) -> [Value] {
    guard let document = documents[uri] else { return [] }
    if document.sort == .configuration { return refreshAll() }
    return refresh([uri] + dependents(of: document.path).filter { $0 != uri })
  }

  private mutating func closed(_ uri: String) -> [Value] {
    guard let document = documents.removeValue(forKey: uri) else { return [] }
    let others = Set(analyses.removeValue(forKey: uri)?.elsewhere.keys.map { $0 } ?? [])
    let concerned = document.sort == .configuration ? documents.keys.sorted() : dependents(of: document.path)
    if document.sort == .configuration { projects = [:] }
    // Problems that other documents report about the file are kept, all others removed.
    return refresh(concerned, elsewhere: others.union([uri]))
  }

  /// The open documents that read a file, or that look for one that is missing.
  private func dependents(of path: String) -> [String] {
    analyses.filter { $0.value.dependencies.contains(path) || $0.value.isMissingFiles }.map(\.key).sorted()
  }
}
