"""OpenStack Swift on one node, in one process, speaking S3 (its s3api): a real object store for tests.

Usage: swift_s3.py FOLDER. Writes its address to standard output as one line, `http://127.0.0.1:PORT`; objects are files below
FOLDER. The account is `test:tester`, its secret `testing`.
"""

import sys
import time
from os import makedirs, path

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.storage_policy import reload_storage_policies  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

FOLDER = path.abspath(sys.argv[1])
SERVERS = ("account", "container", "object", "proxy")
PROXY = "catch_errors cache listing_formats bulk s3api tempauth slo proxy-server"
COMMON = {
    "swift_dir": FOLDER,
    "devices": path.join(FOLDER, "devices"),
    "mount_check": "false",
    "fallocate_reserve": "0",
    "disable_fallocate": "true",
    "log_name": "swift",
}
SECTIONS = {
    "app:proxy-server": {"use": "egg:swift#proxy", "account_autocreate": "true"},
    "filter:catch_errors": {"use": "egg:swift#catch_errors"},
    "filter:cache": {"paste.filter_factory": "swift_s3:memory_cache"},
    "filter:listing_formats": {"use": "egg:swift#listing_formats"},
    "filter:bulk": {"use": "egg:swift#bulk"},
    "filter:s3api": {"use": "egg:swift#s3api", "location": "us-east-1"},
    "filter:tempauth": {"use": "egg:swift#tempauth", "user_test_tester": "testing .admin"},
    "filter:slo": {"use": "egg:swift#slo"},
}


class Memory:
    """What Swift asks of memcached, in this process."""

    def __init__(self):
        self.held = {}

    def get(self, key, raise_on_error=False):
        value, until = self.held.get(key, (None, 0))
        return value if until == 0 or until > time.time() else None

    def set(self, key, value, time=0, **_):
        self.held[key] = (value, clock() + time if time else 0)

    def incr(self, key, delta=1, time=0):
        value = max(0, int(self.get(key) or 0) + delta)
        self.set(key, value, time=time)
        return value

    def delete(self, key, server_key=None):
        self.held.pop(key, None)


clock = time.time
memory = Memory()


def memory_cache(_conf, **_):
    def around(app):
        def call(env, start_response):
            env["swift.cache"] = memory
            return app(env, start_response)

        return call

    return around


def write(name, sections):
    where = path.join(FOLDER, name)
    with open(where, "w", encoding="utf8") as out:
        for title, options in sections.items():
            out.write(f"[{title}]\n")
            out.writelines(f"{key} = {value}\n" for key, value in options.items())
    return where


def write_ring(name, port):
    builder = RingBuilder(2, 1, 0)
    device = {"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "d1", "weight": 1.0}
    builder.add_dev({**device, "replication_ip": "127.0.0.1", "replication_port": port})
    builder.rebalance()
    builder.get_ring().save(path.join(FOLDER, f"{name}.ring.gz"))


def configuration(name):
    if name == "proxy":
        return write("proxy.conf", {"DEFAULT": COMMON, "pipeline:main": {"pipeline": PROXY}, **SECTIONS})
    sections = {"DEFAULT": COMMON, "pipeline:main": {"pipeline": "it"}, "app:it": {"use": f"egg:swift#{name}"}}
    return write(f"{name}.conf", sections)


def main():
    sys.modules["swift_s3"] = sys.modules["__main__"]
    makedirs(path.join(FOLDER, "devices", "d1"), exist_ok=True)
    hashes = {"swift_hash_path_prefix": "vigil", "swift_hash_path_suffix": "vigil"}
    policy = {"name": "only", "default": "yes"}
    utils.SWIFT_CONF_FILE = write("swift.conf", {"swift-hash": hashes, "storage-policy:0": policy})
    utils.validate_hash_conf()
    reload_storage_policies()
    doors = {name: eventlet.listen(("127.0.0.1", 0)) for name in SERVERS}
    ports = {name: door.getsockname()[1] for name, door in doors.items()}
    for name in ("account", "container", "object"):
        write_ring(name, ports[name])
    serving = [
        eventlet.spawn(
            wsgi.server,
            doors[name],
            loadapp(configuration(name), {}),
            log_output=False,
            protocol=SwiftHttpProtocol,
        )
        for name in SERVERS
    ]
    print(f"http://127.0.0.1:{ports['proxy']}", flush=True)
    for one in serving:
        one.wait()


if __name__ == "__main__":
    main()
