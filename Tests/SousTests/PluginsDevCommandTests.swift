import FixturePlugins
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PluginsDevCommandTests {
  private func makefile(_ library: String) -> String {
    "all:\n\tmkdir -p build\n\tcp '\(library)' build/libparcel.so.new\n\tmv build/libparcel.so.new build/libparcel.so\n"
  }

  @Test func eachChangeIsBuiltCheckedAndReported() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "")
    try sous.write("source/Makefile", makefile(try FixtureLibrary.parcel("1.0.0")))
    let terminal = try PseudoTerminal()
    let process = try terminal.start(sous, ["plugins", "dev", "source"])
    #expect(eventuallyReads(terminal, "loaded parcel 1.0.0, 1 action"))
    #expect(eventuallyReads(terminal, "waiting for changes"))
    try sous.write("source/Makefile", makefile(try FixtureLibrary.parcel("1.0.1", careless: true)))
    #expect(eventuallyReads(terminal, "loaded parcel 1.0.1, 1 action"))
    // The library that answers every name is found out.
    #expect(eventuallyReads(terminal, "parcel.no-such-action"))
    #expect(eventuallyReads(terminal, "the check failed"))
    try sous.write("source/Makefile", "all:\n\techo broken; exit 4\n")
    #expect(eventuallyReads(terminal, "failed with status 2"))
    terminal.type("\u{3}")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private func eventuallyReads(_ terminal: PseudoTerminal, _ text: String) -> Bool {
    (0..<6).contains { _ in terminal.read(until: text) }
  }

  @Test func oneRoundEndsWithItsStatus() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "")
    try sous.write("source/Makefile", makefile(try FixtureLibrary.parcel("1.0.0")))
    let sound = try sous("plugins", "dev", "source", "--once")
    #expect(sound.status == 0, "\(sound.output)")
    try sous.write("source/Makefile", makefile(try FixtureLibrary.parcel("1.0.0", careless: true)))
    #expect(try sous("plugins", "dev", "source", "--once").status == 1)
  }
}
