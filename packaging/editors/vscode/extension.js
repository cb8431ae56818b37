// A client of `sous lsp` for Visual Studio Code, with nothing but the editor's own interface: problems, completion, hover,
// definitions, renaming and quick fixes.
const vscode = require("vscode");
const { spawn } = require("child_process");

const selector = { language: "yaml", scheme: "file" };
let server, problems, pending, nextId, buffer, stopped;

function send(message) {
  if (!server || !server.stdin.writable) return;
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
  server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
  server.stdin.write(body);
}

const notify = (method, params) => send({ method, params });

function request(method, params) {
  return new Promise((resolve) => {
    if (!server) return resolve(null);
    const id = nextId++;
    pending.set(id, resolve);
    send({ id, method, params });
  });
}

function receive(data) {
  buffer = Buffer.concat([buffer, data]);
  for (;;) {
    const end = buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: *(\d+)/i.exec(buffer.toString("ascii", 0, end))?.[1] ?? NaN);
    if (!Number.isFinite(length)) { buffer = Buffer.alloc(0); return; }
    if (buffer.length < end + 4 + length) return;
    const message = JSON.parse(buffer.toString("utf8", end + 4, end + 4 + length));
    buffer = buffer.subarray(end + 4 + length);
    handle(message);
  }
}

function handle(message) {
  if (message.method === undefined) {
    const resolve = pending.get(message.id);
    pending.delete(message.id);
    if (resolve) resolve(message.error ? null : message.result);
  } else if (message.method === "textDocument/publishDiagnostics") {
    const uri = vscode.Uri.parse(message.params.uri);
    problems.set(uri, message.params.diagnostics.map((d) => {
      const problem = new vscode.Diagnostic(range(d.range), d.message, (d.severity ?? 1) - 1);
      problem.source = "sous";
      problem.code = d.code;
      return problem;
    }));
  } else if (message.id !== undefined) {
    // Requests of the server, such as watching files, are answered without a value.
    send({ id: message.id, result: null });
  }
}

const range = (r) => new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
const place = (document, position) => ({
  textDocument: { uri: document.uri.toString() },
  position: { line: position.line, character: position.character },
});
const plainRange = (r) => ({
  start: { line: r.start.line, character: r.start.character }, end: { line: r.end.line, character: r.end.character },
});

function workspaceEdit(edit) {
  const result = new vscode.WorkspaceEdit();
  const changes = { ...(edit?.changes ?? {}) };
  for (const change of edit?.documentChanges ?? []) {
    if (change.textDocument) changes[change.textDocument.uri] = change.edits;
  }
  for (const [uri, edits] of Object.entries(changes)) {
    for (const e of edits) result.replace(vscode.Uri.parse(uri), range(e.range), e.newText);
  }
  return result;
}

async function start() {
  const program = vscode.workspace.getConfiguration("sous").get("path") || "sous";
  pending = new Map();
  nextId = 1;
  buffer = Buffer.alloc(0);
  stopped = false;
  const process = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
  server = process;
  process.on("error", () => {
    server = undefined;
    vscode.window.showWarningMessage(`Sous: '${program}' cannot be started. Set sous.path to the program.`);
  });
  process.on("exit", () => {
    if (server === process) server = undefined;
    for (const resolve of pending.values()) resolve(null);
    pending.clear();
    problems.clear();
  });
  process.stdin.on("error", () => {});
  process.stdout.on("data", receive);
  await request("initialize", {
    processId: globalThis.process.pid,
    locale: vscode.env.language,
    rootUri: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? null,
    workspaceFolders: (vscode.workspace.workspaceFolders ?? []).map((f) => ({ uri: f.uri.toString(), name: f.name })),
    capabilities: {
      textDocument: {
        completion: { completionItem: { snippetSupport: false } },
        hover: { contentFormat: ["markdown", "plaintext"] },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
        rename: { prepareSupport: false },
      },
    },
  });
  notify("initialized", {});
  vscode.workspace.textDocuments.forEach(opened);
}

function stop() {
  if (!server || stopped) return;
  stopped = true;
  const process = server;
  request("shutdown").then(() => { notify("exit"); process.stdin.end(); });
}

const isRecipe = (document) => document.languageId === "yaml" && document.uri.scheme === "file";

function opened(document) {
  if (!isRecipe(document)) return;
  notify("textDocument/didOpen", {
    textDocument: {
      uri: document.uri.toString(), languageId: "yaml", version: document.version, text: document.getText(),
    },
  });
}

exports.activate = (context) => {
  problems = vscode.languages.createDiagnosticCollection("sous");
  const kinds = vscode.CompletionItemKind;
  context.subscriptions.push(
    problems,
    { dispose: stop },
    vscode.commands.registerCommand("sous.restart", () => { stop(); return start(); }),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!isRecipe(document)) return;
      notify("textDocument/didChange", {
        textDocument: { uri: document.uri.toString(), version: document.version },
        contentChanges: [{ text: document.getText() }],
      });
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (isRecipe(document)) notify("textDocument/didSave", { textDocument: { uri: document.uri.toString() } });
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (isRecipe(document)) notify("textDocument/didClose", { textDocument: { uri: document.uri.toString() } });
    }),
    vscode.languages.registerCompletionItemProvider(selector, {
      async provideCompletionItems(document, position) {
        const answer = await request("textDocument/completion", place(document, position));
        return (answer?.items ?? answer ?? []).map((item) => {
          const result = new vscode.CompletionItem(item.label, (item.kind ?? kinds.Text + 1) - 1);
          result.detail = item.detail;
          const text = item.documentation?.value ?? item.documentation;
          if (text) result.documentation = new vscode.MarkdownString(text);
          result.sortText = item.sortText;
          result.filterText = item.filterText;
          result.insertText = item.textEdit?.newText ?? item.insertText ?? item.label;
          if (item.textEdit?.range) result.range = range(item.textEdit.range);
          return result;
        });
      },
    }, ":", " ", ".", "{"),
    vscode.languages.registerHoverProvider(selector, {
      async provideHover(document, position) {
        const answer = await request("textDocument/hover", place(document, position));
        const text = answer?.contents?.value ?? answer?.contents;
        return text ? new vscode.Hover(new vscode.MarkdownString(text), answer.range && range(answer.range)) : null;
      },
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      async provideDefinition(document, position) {
        const answer = await request("textDocument/definition", place(document, position));
        return [answer ?? []].flat().map((l) =>
          new vscode.Location(vscode.Uri.parse(l.uri ?? l.targetUri), range(l.range ?? l.targetSelectionRange)));
      },
    }),
    vscode.languages.registerRenameProvider(selector, {
      async provideRenameEdits(document, position, newName) {
        const answer = await request("textDocument/rename", { ...place(document, position), newName });
        if (!answer) throw new Error("Sous: this cannot be renamed so");
        return workspaceEdit(answer);
      },
    }),
    vscode.languages.registerCodeActionsProvider(selector, {
      async provideCodeActions(document, where, context) {
        const diagnostics = context.diagnostics.filter((d) => d.source === "sous").map((d) => ({
          range: plainRange(d.range), message: d.message, severity: d.severity + 1, source: "sous", code: d.code,
        }));
        const answer = await request("textDocument/codeAction", {
          textDocument: { uri: document.uri.toString() }, range: plainRange(where), context: { diagnostics },
        });
        return (answer ?? []).filter((a) => a.edit).map((a) => {
          const action = new vscode.CodeAction(a.title, vscode.CodeActionKind.QuickFix);
          action.edit = workspaceEdit(a.edit);
          action.isPreferred = a.isPreferred;
          return action;
        });
      },
    }),
  );
  return start();
};

exports.deactivate = stop;
