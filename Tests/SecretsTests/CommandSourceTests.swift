import Foundation
import Localization
import TestSupport
import Testing

@testable import Secrets

// Waiting for a thread counts into it, which other suites of blocking tests may keep.
@Suite(.timeLimit(.minutes(5)))
struct CommandSourceTests {
  private func run(
    _ arguments: [String], name: String? = nil, timeout: Double = 10, environment: [String: String] = [:]
  ) throws -> String? {
    let environment = environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given }
    return try SecretCommand(arguments: arguments, environment: environment, timeout: timeout)
      .run(name: name.flatMap(SecretName.init)).text
  }

  private func failure(_ arguments: [String], timeout: Double = 10) -> SecretError? {
    do {
      _ = try run(arguments, timeout: timeout)
      return nil
    } catch {
      return error as? SecretError
    }
  }

  @Test func outputIsTheValue() throws {
    #expect(try run(["printf", "pass\\nword\\n\\n"]) == "pass\nword\n")
    #expect(try run(["true"])?.isEmpty == true)
  }

  @Test func nameIsPutInAndNoShellReadsIt() throws {
    #expect(try run(["printf", "%s", "mail/{name};$(id)"], name: "A") == "mail/A;$(id)")
  }

  @Test func environmentIsSmall() throws {
    let output = try run(["env"], environment: ["TOKEN": "hunter22", "HOME": "/home/me", "GPG_TTY": "/dev/pts/1"])
    let names = Set(
      (output ?? "").split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) })
    #expect(names == ["PATH", "HOME", "GPG_TTY"])
  }

  @Test func programHasASessionWithoutTerminalAndNoOtherDescriptors() throws {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    // The fourth is the folder that `ls` reads.
    let descriptors = try run(["sh", "-c", "test \"$(cut -d ' ' -f 6 /proc/$$/stat)\" -eq $$ && exec ls /proc/self/fd"])
    #expect(descriptors?.split(whereSeparator: \.isNewline) == ["0", "1", "2", "3"])
    #expect(try run(["sh", "-c", "(: </dev/tty) 2>/dev/null || echo none"]) == "none")
    #expect(try run(["cat"])?.isEmpty == true)
  }

  @Test(
    arguments: [
      ["no-such-program-anywhere"], ["/"], [], ["false"], ["sh", "-c", "kill -9 $$"],
      ["head", "-c", "65537", "/dev/zero"], ["yes"],
    ])
  func failuresAreErrors(arguments: [String]) {
    #expect(failure(arguments)?.code == .command)
  }

  @Test func lastWordsAreTold() {
    let error = failure(["sh", "-c", "echo first >&2; echo no such entry >&2; exit 3"])
    #expect(error?.message.english.contains("no such entry") == true)
    #expect(error?.message.english.contains("3") == true)
  }

  @Test func wordsThatMayHoldTheValueAreNotTold() {
    let error = failure(["sh", "-c", "echo hunter22; echo 'trace: hunter22' >&2; exit 1"])
    #expect(error?.code == .command)
    #expect(error?.message.english.contains("hunter22") == false)
  }

  @Test func argumentsAreNotTold() {
    let error = failure(["/bin/sh", "-c", "exit 1", "hunter22"])
    #expect(error?.message.english.contains("'sh'") == true)
    #expect(error?.message.english.contains("hunter22") == false)
  }

  @Test func hangIsCutWithEverythingItStarted() throws {
    let folder = try TemporaryFolder()
    let start = ContinuousClock.now
    let error = failure(["sh", "-c", "sleep 600 & echo $! >\(folder.path)/pid; wait"], timeout: 3)
    #expect(error?.code == .command)
    #expect(ContinuousClock.now - start < .seconds(100))
    let process = try #require(pid_t(String(decoding: try folder.bytes("pid"), as: UTF8.self).dropLast()))
    // The signal is sent by then; the kernel takes its time to carry it out, and whoever inherits it to reap it.
    try eventuallyBlocking { !isAlive(process) }
  }

  private func isAlive(_ process: pid_t) -> Bool {
    guard let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
    return !state.contains(") Z ") && !state.contains(") X ")
  }

  @Test func grandchildThatKeepsThePipeOpenIsNotWaitedFor() throws {
    let start = ContinuousClock.now
    #expect(try run(["sh", "-c", "sleep 100 & printf value"]) == "value")
    #expect(ContinuousClock.now - start < .seconds(90))
  }

  @Test func sourceGoesOnAfterAFailure() throws {
    let environment = ["PATH": "/usr/bin:/bin"]
    let failing = CommandSource(arguments: ["sh", "-c", "exit 1"], environment: environment)
    guard case .failed = try failing.find(try name("A")) else {
      Issue.record("a failing command is neither an answer nor the end of the search")
      return
    }
    #expect(try CommandSource(arguments: ["echo", "{name}"], environment: environment).find(try name("A")).text == "A")
    #expect(try CommandSource(arguments: ["true"], environment: environment).find(try name("A")).text == nil)
    #expect(try failing.has(try name("A")) == nil)
    #expect(failing.origin == SecretOrigin(.command, detail: "sh"))
  }
}
