import Secrets
