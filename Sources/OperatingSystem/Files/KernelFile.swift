internal import Glibc

/// Facts that the system gives in small files and links of `/proc` and `/etc`, and the name of the machine.
public enum KernelFile {
  /// Up to 4096 bytes of a file as UTF-8; `nil` if it is empty or cannot be read.
  public static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  /// A whole file as UTF-8, up to 16 MiB, such as `/proc/net/tcp`, which the kernel gives in pieces of 4 KiB and whose size is 0;
  /// `nil` if it cannot be read.
  public static func wholeText(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return (try? Descriptor.readAll(from: descriptor, limit: 16 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The name of this machine, or of this container; empty if the system does not give it, see gethostname(2).
  public static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The target of a symbolic link of up to 255 bytes, such as `/proc/self/ns/pid`; `nil` if it cannot be read.
  public static func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = readlink(path, &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
