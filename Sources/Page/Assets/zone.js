// The clock of the server's time zone.

const day = 86400000;

/** A clock in a time zone: `zone` is its name in the zone database, `offset` its distance from UTC at present (`+01:00`). */
export class ZoneClock {
  constructor(zone, offset) {
    const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset ?? "") ?? [];
    this.fixed = sign ? (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60000 : 0;
    try {
      this.format = new Intl.DateTimeFormat("en-US", {
        timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
        second: "numeric",
      });
    } catch {
      // The browser does not know the zone: its present distance has to do.
    }
  }

  /** The distance from UTC at a moment, both in milliseconds. */
  offset(moment) {
    if (!this.format) return this.fixed;
    const parts = {};
    for (const { type, value } of this.format.formatToParts(moment)) parts[type] = Number(value);
    const local = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
    return local - Math.floor(moment / 1000) * 1000;
  }

  /**
   * The moment of a time on the clock: the first one if the clock shows it twice; if a clock change leaves it out, as if the clock
   * had not changed.
   */
  moment(text) {
    const local = Date.parse(`${text}Z`);
    const [before, after] = [this.offset(local - day), this.offset(local + day)];
    const first = local - before;
    return new Date(this.offset(first) !== before && this.offset(local - after) === after ? local - after : first);
  }

  /** What the clock shows at a moment: `2026-11-28T07:00:00`. */
  local(date) {
    return new Date(date.getTime() + this.offset(date.getTime())).toISOString().slice(0, 19);
  }
}
