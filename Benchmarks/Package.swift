// swift-tools-version: 6.2
import PackageDescription

/// Measurements against public peers; a package of its own so that the product resolves and builds without it.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "sous", path: "..")],
  targets: [
    .executableTarget(name: "ProcessBenchmark", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "ExpressionBenchmark", dependencies: [.product(name: "Expressions", package: "sous")],
      exclude: ["peer.py"], swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
