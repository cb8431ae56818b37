// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "PluginKit",
  products: [
    .library(name: "PluginKit", targets: ["PluginKit"]),
    .library(name: "CPluginABI", targets: ["CPluginABI"]),
  ],
  targets: [
    .target(name: "CPluginABI"),
    .target(name: "PluginKit", dependencies: ["CPluginABI"], swiftSettings: strict),
  ]
)
