"""How many steps a second durable task runners for Python work off here.

Usage: durable.py FOLDER PEER   with PEER huey, luigi or prefect; prints the figure and the version.
Each does nothing in a step but answer; what it keeps of a step it keeps on the disk in FOLDER, as it does by itself.
"""
import importlib.metadata
import logging
import os
import sys
import time

folder, peer = sys.argv[1:]
logging.disable(logging.CRITICAL)


def huey(count=600):
    """Tasks of a queue in SQLite, with results kept and synchronous writes, worked off by 8 threads."""
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
    figure = count / (time.perf_counter() - begin)
    consumer.stop(graceful=True)
    return figure


def luigi(count=1000):
    """Tasks that each need the one before and leave an empty file behind when they are done."""
    import luigi

    class Step(luigi.Task):
        number = luigi.IntParameter()

        def output(self):
            return luigi.LocalTarget(os.path.join(folder, "luigi", str(self.number)))

        def run(self):
            with self.output().open("w"):
                pass

    begin = time.perf_counter()
    assert luigi.build(
        [Step(number=number) for number in range(count)], local_scheduler=True, no_lock=True, log_level="CRITICAL")
    return count / (time.perf_counter() - begin)


def prefect(count=200):
    """Tasks of a flow, with the server that Prefect starts by itself and its database in SQLite."""
    os.environ.update(
        PREFECT_HOME=os.path.join(folder, "prefect"), PREFECT_SERVER_ALLOW_EPHEMERAL_MODE="true",
        PREFECT_SERVER_ANALYTICS_ENABLED="false", PREFECT_LOGGING_LEVEL="CRITICAL", DO_NOT_TRACK="1",
        PREFECT_LOGGING_TO_API_ENABLED="false")
    from prefect import flow, task

    @task
    def answer(number):
        return number

    @flow
    def warm_up():
        return answer(0)

    @flow
    def work():
        return [answer(number) for number in range(count)]

    warm_up()
    begin = time.perf_counter()
    assert work() == list(range(count))
    return count / (time.perf_counter() - begin)


figure = {"huey": huey, "luigi": luigi, "prefect": prefect}[peer]()
print(f"{figure:.1f} {importlib.metadata.version(peer)}", flush=True)
# What a runner leaves running ends with the process.
os._exit(0)
