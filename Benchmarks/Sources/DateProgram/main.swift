import Foundation

// The peer of start-up: about the least that a Swift program with Foundation does.
print(Date())
