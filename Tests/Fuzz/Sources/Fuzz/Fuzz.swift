import Glibc

/// What the input is fed to, by the environment variable `FUZZ_TARGET`: the command line is libFuzzer's.
private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    print("FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(2)
  }
  return target
}()

/// What libFuzzer, which `--sanitize fuzzer` links together with its own `main`, calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: bytes, count: length)))
  return 0
}
