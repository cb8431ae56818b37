// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "PluginKit",
  products: [
    // What a plugin links.
    .library(name: "PluginKit", targets: ["PluginKit"]),
    // What its tests link beside it: a host in memory, recordings and their replay.
    .library(name: "PluginKitTesting", targets: ["PluginKitTesting"]),
    // The format of recordings, for hosts that write them.
    .library(name: "PluginRecording", targets: ["PluginRecording"]),
    .library(name: "CPluginABI", targets: ["CPluginABI"]),
    // The syntax of JSON, for the kit and for hosts.
    .library(name: "JSONSyntax", targets: ["JSONSyntax"]),
  ],
  targets: [
    .target(name: "CPluginABI"),
    .target(name: "JSONSyntax", swiftSettings: strict),
    .target(name: "PluginKit", dependencies: ["CPluginABI", "JSONSyntax"], swiftSettings: strict),
    .target(name: "PluginRecording", swiftSettings: strict),
    .target(name: "PluginKitTesting", dependencies: ["PluginKit", "PluginRecording"], swiftSettings: strict),
  ]
)
