#!/usr/bin/env python3
"""Debian's glewlwyd as an authorization server for tests, and the browser's part of a sign-in, by plain HTTP requests.

glewlwyd.py serve FOLDER PORT REDIRECT LIFETIME   runs the server until it is told to end; 'ready' when it answers
glewlwyd.py approve URL                           what a person does with the URL of a sign-in: allows it
glewlwyd.py device SERVER CODE                    what a person does with a code: types it in and allows it
glewlwyd.py submit URL NAME=VALUE...              what a person does with the form of oidc-provider-mock: sends it
"""

import http.cookiejar
import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

CLIENT, CLIENT_SECRET = "sous-test", "client-secret-of-the-test"
USER, PASSWORD, ADDRESS = "ada", "password of ada", "ada@example.org"
SCOPES = "openid email"


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


class Visitor:
    """A browser with cookies that follows no redirect by itself."""

    def __init__(self, server):
        self.server = server
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), Stay,
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar(
                http.cookiejar.DefaultCookiePolicy(strict_domain=False))))

    def ask(self, method, path, body=None):
        url = path if "://" in path else self.server + path
        request = urllib.request.Request(url, method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        return self.send(request)

    def send(self, request):
        try:
            answer = self.opener.open(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        return answer.status, answer.headers, answer.read().decode()

    def need(self, *arguments):
        status, headers, text = self.ask(*arguments)
        if status != 200:
            sys.exit(f"{arguments[0]} {arguments[1]}: {status} {text}")
        return headers, text

    def sign_in(self, user, password):
        self.need("POST", "/api/auth/", {"username": user, "password": password})


def configuration(folder, port):
    modules = "/usr/lib/glewlwyd"
    return f'''
port={port}
bind_address="127.0.0.1"
external_url="http://127.0.0.1:{port}"
login_url="login.html"
api_prefix="api"
log_mode="file"
log_level="INFO"
log_file="{folder}/glewlwyd.log"
cookie_secure=0
session_expiration=2419200
session_key="GLEWLWYD2_SESSION_ID"
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="{modules}/user"
user_middleware_module_path="{modules}/user_middleware"
client_module_path="{modules}/client"
user_auth_scheme_module_path="{modules}/scheme"
plugin_module_path="{modules}/plugin"
static_files_path="/usr/share/glewlwyd/webapp"
hash_algorithm="SHA512"
database = {{ type = "sqlite3" path = "{folder}/glewlwyd.db" }};
'''


def prepare(server, redirect, lifetime):
    admin = Visitor(server)
    admin.sign_in("admin", "password")
    admin.need("POST", "/api/scope/", {
        "name": "email", "display_name": "Mail address", "password_required": False, "scheme": {}})
    admin.need("POST", "/api/user/", {
        "username": USER, "name": "Ada", "email": ADDRESS, "enabled": True, "password": PASSWORD,
        "scope": ["openid", "email", "g_profile"]})
    admin.need("POST", "/api/client/", {
        "client_id": CLIENT, "name": "Sous", "confidential": True, "client_secret": CLIENT_SECRET, "enabled": True,
        "redirect_uri": [redirect], "scope": [], "token_endpoint_auth_method": ["client_secret_basic"],
        "authorization_type": ["code", "refresh_token", "device_authorization"]})
    admin.need("POST", "/api/mod/plugin/", {
        "module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "enabled": True, "parameters": {
            "iss": server + "/api/oidc", "jwt-type": "sha", "jwt-key-size": "256", "key": secrets.token_hex(32),
            "access-token-duration": lifetime, "refresh-token-duration": 1209600, "code-duration": 600,
            "refresh-token-rolling": True, "refresh-token-one-use": "always", "allow-non-oidc": True,
            "auth-type-code-enabled": True, "auth-type-refresh-enabled": True, "auth-type-device-enabled": True,
            "auth-type-code-revoke-replayed": True, "pkce-allowed": True, "pkce-required": True,
            "pkce-method-plain-allowed": False, "device-authorization-expiration": 600,
            "device-authorization-interval": 1, "introspection-revocation-allowed": True,
            "introspection-revocation-allow-target-client": True, "subject-type": "public",
            "email-claim": "mandatory", "oauth-as-iss-id": True, "claims": []}})


def serve(folder, port, redirect, lifetime):
    database, script = f"{folder}/glewlwyd.db", "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
    import sqlite3
    with sqlite3.connect(database) as connection, open(script) as text:
        connection.executescript(text.read())
    with open(f"{folder}/glewlwyd.conf", "w") as file:
        file.write(configuration(folder, port))
    process = subprocess.Popen(
        ["glewlwyd", "--config-file", f"{folder}/glewlwyd.conf"], stdin=subprocess.DEVNULL,
        stdout=open(f"{folder}/glewlwyd.out", "w"), stderr=subprocess.STDOUT)
    try:
        server = f"http://127.0.0.1:{port}"
        for _ in range(600):
            if process.poll() is not None:
                sys.exit(f"glewlwyd ended with {process.returncode}: " + open(f"{folder}/glewlwyd.out").read())
            try:
                Visitor(server).ask("GET", "/api/")
                break
            except OSError:
                time.sleep(0.1)
        prepare(server, redirect, lifetime)
        print("ready", flush=True)
        process.wait()
    finally:
        process.terminate()
        process.wait()


def visitor(server):
    browser = Visitor(server)
    browser.sign_in(USER, PASSWORD)
    browser.need("PUT", f"/api/auth/grant/{CLIENT}", {"scope": SCOPES})
    return browser


def follow(browser, url):
    """Follows redirects until one leaves the server; tells where to, and what was there."""
    for _ in range(8):
        status, headers, text = browser.ask("GET", url)
        location = headers.get("Location")
        if status not in (301, 302, 303) or not location:
            return url, status, text
        url = urllib.parse.urljoin(url, location)
        if not url.startswith(browser.server):
            return url, *browser.ask("GET", url)[::2]
        url += "&g_continue" if "login.html" not in url and "g_continue" not in url else ""
    sys.exit("too many redirects")


def origin(url):
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def main(command, *arguments):
    if command == "serve":
        serve(arguments[0], int(arguments[1]), arguments[2], int(arguments[3]))
    elif command == "approve":
        browser = visitor(origin(arguments[0]))
        url, status, text = follow(browser, arguments[0] + "&g_continue")
        print(status, text)
        sys.exit(0 if status == 200 and "127.0.0.1" in url else f"{url} {status} {text}")
    elif command == "device":
        server, code = arguments
        browser = visitor(server)
        query = urllib.parse.urlencode({"code": code})
        url, status, text = follow(browser, f"{server}/api/oidc/device?{query}&g_continue")
        print(url)
        sys.exit(0 if "prompt=deviceComplete" in url else f"{url} {status} {text}")
    elif command == "submit":
        browser = Visitor(origin(arguments[0]))
        form = urllib.parse.urlencode([tuple(field.split("=", 1)) for field in arguments[1:]]).encode()
        status, headers, text = browser.send(urllib.request.Request(arguments[0], data=form, method="POST"))
        location = headers.get("Location") or sys.exit(f"{status} {text}")
        status, headers, text = browser.ask("GET", location)
        print(status, text)
        sys.exit(0 if status == 200 else f"{location} {status} {text}")


if __name__ == "__main__":
    # The server ends with its keeper, also where that was started with the signal blocked.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    main(*sys.argv[1:])
