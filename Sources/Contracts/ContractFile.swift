/// A contract that is published with Sous, as the JSON document that defines it: `chat.json` beside this file.
///
/// The build embeds the documents into the program (`embedInCode` in Package.swift), so that no file can be missing at run
/// time. Nothing here reads them; `BundledContract` of `Plans` does.
package enum ContractFile: String, CaseIterable, Sendable {
  case mailStore = "mail.store"
  case mailTransport = "mail.transport"
  case chat
  case embed
  case transcribe
  case speak
  case notes
  case notify
  case document

  /// The name of the contract: `mail.store`.
  package var name: String { rawValue }

  /// The JSON document, in UTF-8.
  package var bytes: [UInt8] {
    switch self {
    case .mailStore: PackageResources.mail_store_json
    case .mailTransport: PackageResources.mail_transport_json
    case .chat: PackageResources.chat_json
    case .embed: PackageResources.embed_json
    case .transcribe: PackageResources.transcribe_json
    case .speak: PackageResources.speak_json
    case .notes: PackageResources.notes_json
    case .notify: PackageResources.notify_json
    case .document: PackageResources.document_json
    }
  }
}
