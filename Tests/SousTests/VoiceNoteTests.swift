import Expressions
import Foundation
import Testing

/// The bundled recipe for recordings, with speech by espeak-ng and a recogniser of others behind the plugin `whisper`.
@Suite(
  .timeLimit(.minutes(15)), .enabled("the recogniser, espeak-ng or ffmpeg is not installed") { ModelPeer.speech != nil }
)
struct VoiceNoteTests {
  private func project() throws -> SousProcess {
    let sous = try SousProcess()
    let address = try #require(ModelPeer.speech).get().address
    try FileManager.default.copyItem(atPath: SousProcess.repository + "/workflows", toPath: sous.folder + "/workflows")
    try sous.write(
      "sous.yaml",
      """
      providers:
        speech: { plugin: whisper, base_url: "\(address)" }
        local: { plugin: openai, base_url: "\(address)/v1", model: echo }

      """)
    return sous
  }

  private func shell(_ script: String, in sous: SousProcess) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-euc", "cd '\(sous.folder)'; " + script]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test func aRecordingBecomesANoteInPiecesThatEndAtPauses() throws {
    let sous = try project()
    defer { sous.remove() }
    try shell(
      """
      espeak-ng -v en-us -s 130 -w a.wav "one two three four five"
      espeak-ng -v en-us -s 130 -w b.wav "seven eight nine ten"
      ffmpeg -nostdin -v error -i a.wav -f lavfi -t 1.5 -i anullsrc=r=22050:cl=mono -i b.wav \\
        -filter_complex '[0][1][2]concat=n=3:v=0:a=1' "my note.m4a"
      """, in: sous)
    let outcome = try sous(
      "run", "workflows/voice-note.yaml", "-i", "file=my note.m4a", "-i", "piece=1", "-i", "language=en", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let text = try outcome.json["outputs"]?["text"]?.stringValue ?? ""
    // The voice is a machine's, so not every word is understood; counting is mostly.
    let heard = ["one", "two", "three", "four", "five"].filter(
      text.lowercased().contains)
    #expect(heard.count >= 3, "\(text)")
    #expect(try sous("show", "last", "--output", "pieces", "--json").json["value"]?.listValue?.count == 2)
    let note = try sous("notes", "--json").json["notes"]?[0]
    #expect(note?["kind"] == "audio" && note?["audio"]?["name"] == "my note.m4a")
    // What was made on the way is gone.
    #expect(try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/.sous/voice").isEmpty)
  }

  @Test func silenceIsToldAndNotProcessed() throws {
    let sous = try project()
    defer { sous.remove() }
    try shell("ffmpeg -nostdin -v error -f lavfi -t 2 -i anullsrc=r=16000:cl=mono quiet.wav", in: sous)
    let outcome = try sous("run", "workflows/voice-note.yaml", "-i", "file=quiet.wav", "--json")
    #expect(outcome.status == 1)
    #expect((outcome.output + outcome.errors).contains("Keine Sprache erkannt. Bitte erneut versuchen."))
    #expect(
      try sous("show", "last", "--json").json["steps"]?.listValue?.contains {
        $0["id"] == "edited" && $0["status"] == "succeeded"
      } == false)
  }
}
