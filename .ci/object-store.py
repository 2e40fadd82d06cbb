"""OpenStack Swift in one process, as a second object store that speaks S3: object-store.py FOLDER

Prints its URL for TEST_OBJECT_STORE_URL. Needs Debian's python3-swift, and a folder that takes extended attributes.
"""

import eventlet

eventlet.monkey_patch()

import os
import sys
from array import array

from eventlet import wsgi
from swift.account.server import AccountController
from swift.common import utils
from swift.common.ring import RingData
from swift.common.wsgi import loadapp
from swift.container.server import ContainerController
from swift.obj.server import ObjectController

folder = sys.argv[1]
user, key = "test:tester", "testing"


class Cache:
    """What Swift asks of memcached."""

    def __init__(self, app):
        self.app = app
        self.values = {}

    def __call__(self, env, start_response):
        env["swift.cache"] = self
        return self.app(env, start_response)

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def incr(self, key, delta=1, **_):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]

    def delete(self, key, **_):
        self.values.pop(key, None)


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def serve(app):
    socket = eventlet.listen(("127.0.0.1", 0))
    eventlet.spawn(wsgi.server, socket, app, log_output=False)
    return socket.getsockname()[1]


os.makedirs(os.path.join(folder, "sda1"), exist_ok=True)
utils.SWIFT_CONF_FILE = write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = ci\n")
utils.validate_hash_conf()
conf = {"devices": folder, "swift_dir": folder, "mount_check": "false", "user": "root"}
for name, controller in (
    ("account", AccountController),
    ("container", ContainerController),
    ("object", ObjectController),
):
    device = {"id": 0, "zone": 0, "region": 1, "device": "sda1", "ip": "127.0.0.1", "port": serve(controller(conf))}
    RingData([array("H", [0, 0])], [device], 31).save(os.path.join(folder, name + ".ring.gz"))

proxy = write(
    "proxy.conf",
    f"""
[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors s3api tempauth slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_{user.replace(":", "_")} = {key} .admin
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
""",
)
port = serve(Cache(loadapp(proxy)))
print(f"http://{user.replace(':', '%3A')}:{key}@127.0.0.1:{port}/files", flush=True)
while True:
    eventlet.sleep(3600)
