import CZlib
import PluginKit

/// Decompresses the input of a connection, in the DEFLATE format without a frame (COMPRESS, RFC 4978).
///
/// A few bytes can represent very many, so they are made one piece at a time.
final class Inflate {
  // zlib keeps a pointer to its stream: the stream must stay if it is.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var input: [UInt8]
  private var position = 0
  private var mayHoldMore = false

  /// - Parameter bytes: The bytes that have arrived already.
  /// - Throws: `io` if there is no memory for it.
  init(_ bytes: [UInt8]) throws(ActionError) {
    input = bytes
    stream.initialize(to: z_stream())
    let status = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .compressionFailed }
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Takes what has arrived.
  func append(_ bytes: [UInt8]) {
    input = position == input.count ? bytes : input.dropFirst(position) + bytes
    position = 0
  }

  /// The next piece; `nil` if more has to arrive first.
  ///
  /// - Throws: `syntax` for bytes that are not compressed, and for the end of the format, which a connection has not.
  func next(upTo limit: Int = 256 << 10) throws(ProtocolFault) -> [UInt8]? {
    guard position < input.count || mayHoldMore else { return nil }
    var status = Z_OK
    let piece = [UInt8](unsafeUninitializedCapacity: limit) { space, count in
      status = input.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_in = input.baseAddress.map { $0 + position }
        stream.pointee.avail_in = UInt32(clamping: input.count - position)
        stream.pointee.next_out = space.baseAddress
        stream.pointee.avail_out = UInt32(clamping: limit)
        return inflate(stream, Z_SYNC_FLUSH)
      }
      count = limit - Int(stream.pointee.avail_out)
    }
    position = input.count - Int(stream.pointee.avail_in)
    // Z_BUF_ERROR says that nothing was left to do.
    guard status == Z_OK || status == Z_BUF_ERROR else { throw ProtocolFault(.syntax, "bytes that are not compressed") }
    mayHoldMore = piece.count == limit
    return piece.isEmpty ? nil : piece
  }
}
