import Foundation

/// Names the thread it is called on.
func currentThread() -> String { "\(pthread_self())" }
