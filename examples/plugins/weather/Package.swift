// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "weather",
  products: [
    // What Sous loads: .build/debug/libweather.so
    .library(name: "weather", type: .dynamic, targets: ["WeatherPlugin"])
  ],
  dependencies: [
    // Outside this repository a plugin holds a copy of the kit, which `sous plugins new` puts into Vendor/PluginKit.
    .package(path: "../../../plugins/PluginKit")
  ],
  targets: [
    .target(name: "WeatherPlugin", dependencies: [.product(name: "PluginKit", package: "PluginKit")]),
    .testTarget(
      name: "WeatherPluginTests",
      dependencies: ["WeatherPlugin", .product(name: "PluginKitTesting", package: "PluginKit")],
      exclude: ["Recordings"]),
  ]
)
