"""Answers what comes next, one JSON line for each JSON line: croniter, python-dateutil and astral."""
import datetime, json, sys, zoneinfo

from astral import Observer, sun
from croniter import croniter
from dateutil.rrule import rrulestr
from dateutil.tz import datetime_ambiguous, datetime_exists, resolve_imaginary

UTC = datetime.timezone.utc


def cron(case):
    start = datetime.datetime.fromisoformat(case["start"])
    times = croniter(
        case["expression"], start, ret_type=datetime.datetime, implement_cron_bug=True,
        second_at_beginning=len(case["expression"].split()) > 5)
    return [times.get_next().isoformat() for _ in range(case["count"])]


def rule(case):
    start = datetime.datetime.fromisoformat(case["start"])
    answer = []
    for time in rrulestr(case["rule"], dtstart=start):
        if len(answer) == case["count"] or time.year > case["until"]:
            break
        answer.append(time.isoformat())
    return answer


def zone(case):
    """The moments of a time of day on each day, as RFC 5545 has it."""
    zone = zoneinfo.ZoneInfo(case["zone"])
    day = datetime.date.fromisoformat(case["start"])
    answer = []
    for _ in range(case["count"]):
        local = datetime.datetime.combine(day, datetime.time.fromisoformat(case["time"]), zone)
        day += datetime.timedelta(days=1)
        moments = [local]
        if not datetime_exists(local):
            moments = {"after": [resolve_imaginary(local)], "skip": []}[case["missing"]]
        elif datetime_ambiguous(local):
            moments = {"first": [local], "last": [local.replace(fold=1)], "both": [local, local.replace(fold=1)]}[
                case["repeated"]]
        answer += [int(moment.astimezone(UTC).timestamp()) for moment in moments]
    return answer


def rise(case):
    place = Observer(case["latitude"], case["longitude"])
    day = datetime.date.fromisoformat(case["day"])
    try:
        return int(getattr(sun, case["event"])(place, day, tzinfo=UTC).timestamp())
    except ValueError:
        return None


for line in sys.stdin:
    case = json.loads(line)
    try:
        answer = {"cron": cron, "rule": rule, "zone": zone, "sun": rise}[case["kind"]](case)
        print(json.dumps({"answer": answer}))
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
