/// The input of `transcribe.audio`, as the contract defines it.
public struct TranscriptionInput: Decodable, Sendable {
  /// The file; `nil` if `audio` is given.
  public var path: String?
  /// The recording as a blob.
  public var audio: String?
  /// A file name for the recording.
  public var name: String?
  /// The model; `nil` for that of the settings.
  public var model: String?
  /// ISO 639 code of what is spoken.
  public var language: String?
  /// Words that are likely to occur.
  public var prompt: String?
  /// 0 to 1.
  public var temperature: Double?
  /// Whether times are wanted.
  public var segments: Bool?
}
