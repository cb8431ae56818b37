import CZlib
import PluginKit

/// Compresses the output of a connection, in the DEFLATE format without a frame (COMPRESS, RFC 4978).
final class Deflate {
  // zlib keeps a pointer to its stream: the stream must stay if it is.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

  /// - Throws: `io` if there is no memory for it.
  init() throws(ActionError) {
    stream.initialize(to: z_stream())
    let status = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .compressionFailed }
  }

  deinit {
    deflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Compresses bytes so that the other side can read all of them.
  func compress(_ bytes: [UInt8]) throws(ActionError) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    var input = bytes
    var output: [UInt8] = []
    let size = 32 << 10
    let isDone = input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(clamping: input.count)
      // Zlib has finished if it leaves room in the output (zlib.h).
      repeat {
        var status = Z_OK
        output += [UInt8](unsafeUninitializedCapacity: size) { space, count in
          stream.pointee.next_out = space.baseAddress
          stream.pointee.avail_out = UInt32(clamping: size)
          status = deflate(stream, Z_SYNC_FLUSH)
          count = size - Int(stream.pointee.avail_out)
        }
        guard status != Z_STREAM_ERROR else { return false }
      } while stream.pointee.avail_out == 0
      return stream.pointee.avail_in == 0
    }
    guard isDone else { throw .compressionFailed }
    return output
  }
}

extension ActionError {
  /// zlib has no memory for it, or was called wrongly.
  static var compressionFailed: ActionError {
    ActionError(.io, "The connection cannot be compressed.", german: "Die Verbindung lässt sich nicht komprimieren.")
  }
}
