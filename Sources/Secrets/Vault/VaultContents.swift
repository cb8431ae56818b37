import Glibc
import Localization

/// The secrets of a vault, decrypted, in protected memory.
public struct VaultContents: Sendable {
  /// A secret of a vault.
  public struct Entry: Sendable {
    /// Its name.
    public let name: SecretName
    /// Its value.
    let value: SecureBytes
    /// When it was set, in seconds since 1970.
    public let changed: Int64
  }

  /// The most secrets of a vault.
  static let mostEntries = 4096
  /// The most bytes of all of them together.
  static let mostBytes = 8 << 20
  /// Contents are filled up to a multiple of this, so that the size of the file does not tell that of a secret.
  private static let grain = 1024

  /// The secrets, by name.
  public private(set) var entries: [Entry] = []

  /// No secrets.
  init() {}

  /// The secret of a name.
  func value(of name: SecretName) -> SecureBytes? { entries.first { $0.name == name }?.value }

  /// Adds a secret, or gives one a new value.
  mutating func set(_ name: SecretName, to value: SecureBytes, at time: Int64) throws(SecretError) {
    let rest = entries.filter { $0.name != name }
    guard rest.count < VaultContents.mostEntries,
      rest.reduce(value.count, { $0 + $1.value.count }) <= VaultContents.mostBytes
    else {
      throw SecretError(.valueInvalid, LocalizedText("the vault is full", de: "der Tresor ist voll"))
    }
    let index = rest.firstIndex { name < $0.name } ?? rest.count
    entries = rest[..<index] + [Entry(name: name, value: value, changed: time)] + rest[index...]
  }

  /// Takes a secret out; `false` if there is none of that name.
  mutating func remove(_ name: SecretName) -> Bool {
    let rest = entries.filter { $0.name != name }
    defer { entries = rest }
    return rest.count < entries.count
  }

  // MARK: - Form
  // u32 number of entries; each: u16 length and bytes of the name, u32 length and bytes of the value, i64 time; zeros up
  // to a multiple of 1024 bytes. Numbers are big-endian.

  /// The contents as they are encrypted.
  func encoded() throws(SecretError) -> SecureBytes {
    let size = entries.reduce(4) { $0 + 14 + $1.name.text.utf8.count + $1.value.count }
    let grain = VaultContents.grain
    return try SecureBytes(capacity: (size + grain - 1) / grain * grain) { memory throws(SecretError) in
      var position = 0
      func put<Number: FixedWidthInteger>(_ number: Number) {
        memory.storeBytes(of: number.bigEndian, toByteOffset: position, as: Number.self)
        position += MemoryLayout<Number>.size
      }
      func put(_ bytes: some Collection<UInt8>) {
        UnsafeMutableRawBufferPointer(rebasing: memory[position...]).copyBytes(from: bytes)
        position += bytes.count
      }
      put(UInt32(truncatingIfNeeded: entries.count))
      for entry in entries {
        put(UInt16(truncatingIfNeeded: entry.name.text.utf8.count))
        put(entry.name.text.utf8)
        put(UInt32(truncatingIfNeeded: entry.value.count))
        entry.value.withBytes { put($0) }
        put(entry.changed)
      }
      // The rest is zero, as new memory is.
      return memory.count
    }
  }

  /// Reads what was decrypted; `nil` if it has another form.
  init?(decoding bytes: SecureBytes) throws(SecretError) {
    let entries = try bytes.withBytes { bytes throws(SecretError) in try VaultContents.entries(in: bytes) }
    guard let entries else { return nil }
    self.entries = entries
  }

  private static func entries(in bytes: UnsafeRawBufferPointer) throws(SecretError) -> [Entry]? {
    var position = 0
    func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
      guard bytes.count - position >= MemoryLayout<Number>.size else { return nil }
      defer { position += MemoryLayout<Number>.size }
      return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }
    func piece(_ count: Int) -> UnsafeRawBufferPointer? {
      guard count >= 0, bytes.count - position >= count else { return nil }
      defer { position += count }
      return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }
    guard let count = number(UInt32.self), count <= VaultContents.mostEntries else { return nil }
    var entries: [Entry] = []
    for _ in 0..<count {
      guard let nameLength = number(UInt16.self), let nameBytes = piece(Int(nameLength)),
        let text = String(validating: nameBytes, as: UTF8.self), let name = SecretName(text),
        entries.last.map({ $0.name < name }) ?? true, let length = number(UInt32.self),
        let value = piece(Int(length)), let changed = number(Int64.self)
      else { return nil }
      entries.append(Entry(name: name, value: try SecureBytes(copying: value), changed: changed))
    }
    guard bytes[position...].allSatisfy({ $0 == 0 }) else { return nil }
    return entries
  }
}
