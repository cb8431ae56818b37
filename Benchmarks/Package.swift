// swift-tools-version: 6.2
import PackageDescription

/// Measurements against public peers; a package of its own so that the product resolves and builds without it.
let package = Package(
  name: "Benchmarks",
  targets: [
    .executableTarget(name: "ProcessBenchmark", swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
