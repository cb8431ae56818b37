import Foundation
import Localization
import TestSupport
import Testing

@testable import Secrets

struct FileSourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func code(_ body: () throws -> Void) -> SecretError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SecretError)?.code
    }
  }

  @Test func linesAreAssignments() throws {
    let path = try folder.write(
      "secrets.env",
      """
      \u{FEFF}# a comment
      A=plain # not a comment

      export B = "two\\nlines \\"quoted\\" \\$5 \\x"
        C='as $it \\n is'\r
      D=
      E="open
      F=a=b==
      G.x-1=ü
      """)
    let source = FileSource(path: path)
    let expected = [
      "A": "plain # not a comment", "B": "two\nlines \"quoted\" $5 \\x", "C": "as $it \\n is", "D": nil, "E": "\"open",
      "F": "a=b==", "G.x-1": "ü", "NONE": nil,
    ]
    for (key, value) in expected {
      #expect(try source.find(try name(key)).text == value, "\(key)")
    }
    #expect(try source.names()?.map(\.text) == ["A", "B", "C", "D", "E", "F", "G.x-1"])
    #expect(try source.has(try name("A")) == true)
    #expect(try source.has(try name("D")) == false)
  }

  @Test(arguments: ["A=1\nhunter22\n", "A=1\nhunter 22=x", "A=1\n=hunter22", "A=1\nA=hunter22", "A=1\n\u{0}=hunter22"])
  func otherLinesAreErrorsThatDoNotRepeatThem(text: String) throws {
    let path = try folder.write("secrets.env", text)
    let error = #expect(throws: SecretError.self) { try FileSource(path: path).find(try name("A")) }
    #expect(error?.code == .fileInvalid)
    #expect(error?.message.english.contains(":2:") == true)
    #expect(error?.message.english.contains("hunter") == false)
  }

  @Test(arguments: [0o600, 0o400, 0o700] as [Int]) func ownersFileIsRead(mode: Int) throws {
    let path = try folder.write("token", "value\n", mode: mode)
    #expect(try FileSource.contents(of: path).text == "value")
  }

  @Test(arguments: [0o644, 0o640, 0o620, 0o604, 0o602, 0o601, 0o610, 0o660, 0o777] as [Int])
  func fileForOthersIsRefused(mode: Int) throws {
    let path = try folder.write("token", "A=value\n", mode: mode)
    #expect(code { _ = try FileSource.contents(of: path) } == .fileRefused)
    #expect(code { _ = try FileSource(path: path).find(try name("A")) } == .fileRefused)
    #expect(code { _ = try FileSource(path: path).names() } == .fileRefused)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away")) func fileOfSomebodyElseIsRefused() throws {
    let path = try folder.write("token", "value\n")
    #expect(chown(path, 4242, 4242) == 0)
    #expect(code { _ = try FileSource.contents(of: path) } == .fileRefused)
  }

  @Test func onlyRegularFilesAreRead() throws {
    #expect(code { _ = try FileSource.contents(of: folder.path) } == .fileRefused)
    #expect(code { _ = try FileSource.contents(of: "/dev/zero") } == .fileRefused)
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(code { _ = try FileSource.contents(of: pipe) } == .fileRefused)
  }

  @Test func modeOfALinksTargetCounts() throws {
    let target = try folder.write("target", "value", mode: 0o644)
    let link = folder.path + "/link"
    #expect(symlink(target, link) == 0)
    #expect(code { _ = try FileSource.contents(of: link) } == .fileRefused)
    #expect(chmod(target, 0o600) == 0)
    #expect(try FileSource.contents(of: link).text == "value")
  }

  @Test func fileThatIsMissingIsToldWithTheNextSource() throws {
    guard case .failed = try FileSource(path: folder.path + "/none").find(try name("A")) else {
      Issue.record("a missing file is neither an answer nor the end of the search")
      return
    }
    #expect(try FileSource(path: folder.path + "/none").names() == [])
  }

  @Test func placeholderStandsForTheName() throws {
    try folder.write("MAIL", "of its own\n\n")
    let source = FileSource(path: folder.path + "/{name}")
    #expect(try source.find(try name("MAIL")).text == "of its own\n")
    #expect(try source.find(try name("OTHER")).text == nil)
    #expect(try source.names() == nil)
    #expect(try source.has(try name("MAIL")) == true)
  }

  @Test func sizeIsBounded() throws {
    let path = try folder.write("big", [UInt8](repeating: 0x61, count: (64 << 10) + 1))
    #expect(code { _ = try FileSource.contents(of: path) } == .fileRefused)
  }

  @Test(arguments: [("x\n", "x"), ("x\r\n", "x"), ("x\n\n", "x\n"), ("x", "x"), ("\n", nil), ("", nil)])
  func oneLineEndIsNotPartOfTheValue(text: String, value: String?) throws {
    #expect(try FileSource.contents(of: try folder.write("token", text)).text == value)
  }

  @Test func credentialsAreFilesOfTheirFolder() throws {
    try folder.write("MAIL", "from systemd\n", mode: 0o440)
    let source = CredentialSource(folder: folder.path)
    #expect(try source.find(try name("MAIL")).text == "from systemd")
    #expect(try source.has(try name("MAIL")) == true)
    #expect(try source.find(try name("OTHER")).text == nil)
    #expect(try CredentialSource(folder: nil).find(try name("MAIL")).text == nil)
    #expect(try CredentialSource(folder: "relative").find(try name("MAIL")).text == nil)
  }

  @Test func emptyVariablesAreNone() throws {
    let source = EnvironmentSource(environment: ["A": "x", "B": ""])
    #expect(try source.find(try name("A")).text == "x")
    #expect(try source.find(try name("B")).text == nil)
    #expect(source.has(try name("A")) == true)
    #expect(source.has(try name("B")) == false)
  }
}
