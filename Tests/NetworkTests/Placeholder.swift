import Network
