import Foundation
import Localization
import Synchronization
import TestSupport
import Testing

@testable import Secrets

struct SecretStoreTests {
  /// A source that counts how often it is asked.
  final class CountingSource: SecretSource {
    let origin = SecretOrigin(.file, detail: "counting")
    private let values: Mutex<[String: String]>
    private let count = Mutex(0)

    init(_ values: [String: String]) { self.values = Mutex(values) }

    var asked: Int { count.withLock { $0 } }

    func set(_ name: String, _ value: String?) { values.withLock { $0[name] = value } }

    func find(_ name: SecretName) throws(SecretError) -> SecretFinding {
      count.withLock { $0 += 1 }
      guard let value = values.withLock({ $0[name.text] }) else { return .absent }
      return value == "!" ? .failed(LocalizedText(verbatim: "it is broken")) : .found(try SecureBytes(value))
    }
  }

  private func store(_ sources: [any SecretSource], environment: [String: String] = [:]) -> SecretStore {
    SecretStore(sources: sources, environment: environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given })
  }

  @Test func firstSourceThatHasItAnswers() throws {
    let (first, second) = (CountingSource(["A": "1", "C": "!"]), CountingSource(["A": "2", "B": "3", "C": "4"]))
    let store = store([first, second])
    #expect(try store.value(of: .named(try name("A"))) == "1")
    #expect(second.asked == 0)
    #expect(try store.value(of: .named(try name("B"))) == "3")
    #expect(try store.value(of: .named(try name("C"))) == "4")
  }

  @Test func everySecretThatIsFoundIsAskedForOnce() throws {
    let source = CountingSource(["A": "1"])
    let store = store([source])
    #expect(source.asked == 0)
    for _ in 0..<3 { #expect(try store.value(of: .named(try name("A"))) == "1") }
    #expect(source.asked == 1)
  }

  @Test func aSecretThatIsSetLaterIsFound() throws {
    let folder = try TemporaryFolder()
    let source = CountingSource([:])
    let store = store([source])
    let requests: [SecretRequest] = [
      .named(try name("A")), .file(folder.path + "/late", line: nil), .command(["cat", folder.path + "/late"]),
    ]
    for request in requests { #expect(throws: SecretError.self) { try store.value(of: request) } }
    source.set("A", "1")
    _ = try folder.write("late", "1\n")
    for request in requests { #expect(try store.value(of: request) == "1") }
  }

  @Test func aPersonIsAskedOnce() throws {
    let folder = try TemporaryFolder()
    let program = SecretRequest.command(["sh", "-c", "echo >>\(folder.path)/asked; exit 1"])
    let store = SecretStore(sources: [], environment: ["PATH": "/usr/bin:/bin"], isAttended: true)
    for _ in 0..<2 { #expect(throws: SecretError.self) { try store.value(of: program) } }
    #expect(try String(contentsOfFile: folder.path + "/asked", encoding: .utf8) == "\n")
  }

  @Test func rotatedSecretIsReadAgain() throws {
    let source = CountingSource(["A": "1"])
    let store = store([source])
    #expect(try store.value(of: .named(try name("A"))) == "1")
    source.set("A", "2")
    #expect(try store.value(of: .named(try name("A"))) == "1")
    #expect(try store.refreshed(.named(try name("A"))) == "2")
    #expect(try store.value(of: .named(try name("A"))) == "2")
    source.set("A", nil)
    #expect(throws: SecretError.self) { try store.refreshed(.named(try name("A"))) }
    #expect(try store.value(of: .named(try name("A"))) == "2")
  }

  @Test func missingSecretTellsWhereItWasLookedFor() throws {
    let store = store([CountingSource([:]), CountingSource(["A": "!"])])
    let error = #expect(throws: SecretError.self) { try store.value(of: .named(try name("A"))) }
    #expect(error?.code == .missing)
    for words in ["sous secrets set A", "counting", "it is broken"] {
      #expect(error?.message.english.contains(words) == true)
      #expect(error?.message.german.contains(words) == true)
    }
  }

  @Test func settingsMayNameAPlace() throws {
    let folder = try TemporaryFolder()
    let whole = try folder.write("whole", "of a file\n")
    let lines = try folder.write("lines", "A=1\nB=2\n")
    let store = store([], environment: ["VARIABLE": "of the environment"])
    #expect(try store.value(of: .environment("VARIABLE")) == "of the environment")
    #expect(try store.value(of: .file(whole, line: nil)) == "of a file")
    #expect(try store.value(of: .file(lines, line: try name("B"))) == "2")
    #expect(try store.value(of: .command(["echo", "of a command"])) == "of a command")
    let missing: [SecretRequest] = [
      .environment("NONE"), .file(folder.path + "/none", line: nil), .file(lines, line: try name("C")),
      .command(["true"]),
    ]
    for request in missing {
      let error = #expect(throws: SecretError.self) { try store.value(of: request) }
      #expect(error?.code == .missing)
    }
  }

  @Test func valuesAreTextsWithoutNUL() throws {
    let folder = try TemporaryFolder()
    for bytes in [[0xC3, 0x28], [0x61, 0, 0x62]] as [[UInt8]] {
      let path = try folder.write("value", bytes)
      let error = #expect(throws: SecretError.self) { try store([]).value(of: .file(path, line: nil)) }
      #expect(error?.code == .valueInvalid)
    }
  }

  @Test func processIsProtectedOnceItHoldsASecret() throws {
    _ = try store([], environment: ["A": "x"]).value(of: .environment("A"))
    #expect(ProcessProtection.isEnabled)
    // What belongs to a process that may not be dumped belongs to root, whoever runs it.
    var facts = stat()
    #expect(stat("/proc/self/environ", &facts) == 0)
    #expect(facts.st_uid == 0)
    let limits = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    #expect(limits.contains("CoreDumping:\t0"))
  }

  @Test func protectedMemoryIsWhatItWasGiven() throws {
    let bytes = try SecureBytes("grün")
    #expect(bytes.count == 5)
    #expect(bytes.text == "grün")
    #expect(try bytes.slice(0..<2).text == "gr")
    #expect(try bytes.slice(2..<100).text == "ün")
    #expect(try SecureBytes([0xFF]).text == nil)
    #expect(bytes.isEqual(to: try SecureBytes("grün")))
    #expect(!bytes.isEqual(to: try SecureBytes("grüm")))
    #expect(!bytes.isEqual(to: try SecureBytes("grü")))
    #expect(throws: SecretError.self) {
      try SecureBytes(capacity: 8) { _ throws(SecretError) in throw SecretError(.system, .init(verbatim: "")) }
    }
  }
}
