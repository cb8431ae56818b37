import Foundation
import LoopbackPorts

/// A server of others on the loopback interface, from `.build/peers`; ends with the process that started it.
struct ModelPeer: Sendable {
  struct NotReady: Error {}

  /// Whether the peers are installed: `Scripts/install-peers.sh`.
  static var isInstalled: Bool { FileManager.default.fileExists(atPath: folder + "/installed") }

  private static let folder = SousProcess.repository + "/.build/peers"
  private static let fixtures = SousProcess.repository + "/Tests/Fixtures/peers"

  /// Where it answers: `http://127.0.0.1:PORT`.
  let address: String
  /// The number of the server's process.
  let process: Int32
  /// Its input, open as long as it is to run.
  private let input = Pipe()

  /// Starts a server and waits until it answers.
  private init(
    ready path: String, environment: [String: String] = [:], arguments: (Int) -> [String]
  ) throws {
    let port = try LoopbackPort.free()
    address = "http://127.0.0.1:\(port)"
    let process = Process()
    // The server ends when its input does: with this process, however that ends. It inherits a mask that blocks SIGTERM.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", #""$@" </dev/null >/dev/null & echo $!; exec >/dev/null; cat; kill -KILL $!"#, "peer"] + arguments(port)
    process.environment = [
      "PATH": Self.folder + "/bin:/usr/bin:/bin", "HOME": NSTemporaryDirectory(), "LANG": "C.UTF-8",
      "LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_PROXY": "*",
    ].merging(environment) { $1 }
    // Some read settings from a file `.env` where they start.
    process.currentDirectoryURL = URL(fileURLWithPath: Self.folder)
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let number = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    guard let server = Int32(number.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NotReady() }
    self.process = server
    let wait = Process()
    let pythons = [Self.folder + "/bin/python", Self.folder + "-speech/bin/python"]
    wait.executableURL = URL(
      fileURLWithPath: pythons.first(where: FileManager.default.fileExists) ?? "/usr/bin/python3")
    wait.arguments = [
      "-c",
      """
      import sys, time, urllib.request
      for attempt in range(600):
          try:
              urllib.request.urlopen(sys.argv[1], timeout=2); sys.exit(0)
          except OSError:
              time.sleep(0.1)
      sys.exit(1)
      """, address + path,
    ]
    wait.standardError = FileHandle.nullDevice
    try wait.run()
    wait.waitUntilExit()
    guard wait.terminationStatus == 0 else { throw NotReady() }
  }

  /// The LiteLLM proxy, which speaks as OpenAI does and answers from `litellm.yaml`.
  static let litellm = Result {
    let settings = try String(contentsOfFile: fixtures + "/litellm.yaml", encoding: .utf8)
    let file = NSTemporaryDirectory() + "/litellm-\(getpid()).yaml"
    try settings.replacing("LONG", with: String(repeating: "word ", count: 20_000))
      .write(toFile: file, atomically: true, encoding: .utf8)
    return try ModelPeer(ready: "/health/liveliness") { port in
      [folder + "/bin/litellm", "--config", file, "--host", "127.0.0.1", "--port", "\(port)"]
    }
  }

  /// A server made of the types of Ollama's own library.
  static let ollama = Result {
    try ModelPeer(ready: "/api/tags") { port in [folder + "/bin/python", fixtures + "/ollama_judge.py", "\(port)"] }
  }

  /// A recogniser of speech behind the form of whisper.cpp's server; `nil` where it, or a program to make speech with, is
  /// not installed.
  static let speech: Result<ModelPeer, any Error>? = {
    let python = SousProcess.repository + "/.build/peers-speech/bin/python"
    let files = [SousProcess.repository + "/.build/peers-speech/installed", "/usr/bin/espeak-ng", "/usr/bin/ffmpeg"]
    guard files.allSatisfy(FileManager.default.fileExists) else { return nil }
    return Result { try ModelPeer(ready: "/") { port in [python, fixtures + "/whisper_server.py", "\(port)"] } }
  }()

  /// A proxy of others that speaks as Ollama does, in front of ``litellm``.
  static let proxy = Result { try startProxy() }

  /// Starts another such proxy, which a test may end.
  static func startProxy() throws -> ModelPeer {
    let environment = [
      "PYTHONPATH": folder + "/ollama-proxy", "OPENAI_API_BASE_URL": try litellm.get().address + "/v1",
      "OPENAI_API_KEY": "sk-loopback-master", "MAX_RETRIES": "1",
    ]
    return try ModelPeer(ready: "/health", environment: environment) { port in
      [folder + "/bin/python", "-m", "uvicorn", "src.main:app", "--host", "127.0.0.1", "--port", "\(port)"]
    }
  }
}
