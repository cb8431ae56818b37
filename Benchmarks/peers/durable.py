"""How many steps a second durable task runners for Python work off here.

Usage: durable.py FOLDER PEER...   with huey, luigi or prefect as PEER; prints a line for each: figure, name and version.
A step of theirs does nothing but answer; what they keep of it they keep on the disk, below FOLDER, as they do by
themselves. One that is not installed is left out.
"""
import importlib.metadata
import logging
import os
import signal
import subprocess
import sys
import time


def huey(folder, count=600):
    """Tasks of a queue in SQLite, with synchronous writes, that 8 threads work off."""
    from huey import SqliteHuey

    queue = SqliteHuey("benchmark", filename=os.path.join(folder, "huey.db"), fsync=True)

    @queue.task()
    def answer(number):
        return number

    begin = time.perf_counter()
    consumer = queue.create_consumer(workers=8, periodic=False, initial_delay=0.01, max_delay=0.01)
    consumer.start()
    results = [answer(number) for number in range(count)]
    assert [result(blocking=True) for result in results] == list(range(count))
    return count / (time.perf_counter() - begin)


def luigi(folder, count=1000):
    """Tasks that leave an empty file behind when they are done."""
    import luigi

    class Step(luigi.Task):
        number = luigi.IntParameter()

        def output(self):
            return luigi.LocalTarget(os.path.join(folder, "luigi", str(self.number)))

        def run(self):
            with self.output().open("w"):
                pass

    begin = time.perf_counter()
    steps = [Step(number=number) for number in range(count)]
    assert luigi.build(steps, local_scheduler=True, no_lock=True, log_level="CRITICAL")
    return count / (time.perf_counter() - begin)


def prefect(folder, count=200):
    """Tasks of a flow, with the server that Prefect starts by itself and its database in SQLite."""
    os.environ.update(
        PREFECT_HOME=os.path.join(folder, "prefect"), PREFECT_SERVER_ALLOW_EPHEMERAL_MODE="true",
        PREFECT_SERVER_ANALYTICS_ENABLED="false", PREFECT_LOGGING_LEVEL="CRITICAL",
        PREFECT_LOGGING_TO_API_ENABLED="false", DO_NOT_TRACK="1")
    from prefect import flow, task

    @task
    def answer(number):
        return number

    @flow
    def work(count):
        return [answer(number) for number in range(count)]

    work(1)
    begin = time.perf_counter()
    assert work(count) == list(range(count))
    return count / (time.perf_counter() - begin)


def measure(folder, peer):
    logging.disable(logging.CRITICAL)
    figure = {"huey": huey, "luigi": luigi, "prefect": prefect}[peer](folder)
    print(f"{figure:.1f} {peer} {importlib.metadata.version(peer)}", flush=True)
    # Threads and servers of the peer need not end first.
    os._exit(0)


def main(folder, peers):
    for peer in peers:
        # A session of its own, so that what the peer leaves behind can be ended.
        process = subprocess.Popen(
            [sys.executable, __file__, "--measure", folder, peer], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        sys.stdout.write(process.communicate()[0].decode())
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "--measure":
        measure(*sys.argv[2:])
    else:
        main(sys.argv[1], sys.argv[2:])
