import { sql, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Interval of readings of the database's time: the monotonic clocks of two machines differ by less than a millisecond in it. */
const readEveryMs = 5_000;
/** A difference from the clock of this machine that is worth a warning. */
const warnBeyondMs = 2_000;

/** The time of the database, which all nodes share whatever the clocks of their machines say. */
export interface DatabaseClock {
  /** The present time of the database, by its last reading and the time that has passed since on a monotonic clock. */
  now(): Date;
  /** Reads the time of the database. */
  read(): Promise<void>;
  /** Ends the readings; the time goes on by the last one. */
  stop(): Promise<void>;
}

interface ClockParts {
  readonly db: Kysely<Tables>;
  readonly log: { warn(fields: { readonly aheadMs: number }, message: string): void };
  /** A monotonic clock in milliseconds. */
  readonly monotonicMs: () => number;
  /** The clock of this machine, in milliseconds since 1970. */
  readonly machineMs: () => number;
}

/** Reads the time of the database now and every five seconds. A reading that fails leaves the clock running by the last one. */
export async function startDatabaseClock({
  db,
  log,
  monotonicMs,
  machineMs,
}: ClockParts): Promise<DatabaseClock> {
  /** The time of the database minus the monotonic clock. */
  let offsetMs: number | undefined;
  let hasWarned = false;
  const nowMs = () => monotonicMs() + (offsetMs ?? 0);

  const read = async (): Promise<void> => {
    const askedAtMs = monotonicMs();
    const databaseMs = await readTime(db);
    // The database read its clock at some moment between question and answer, so the offset lies between these two.
    const leastMs = databaseMs - monotonicMs();
    const mostMs = databaseMs - askedAtMs;
    // An offset that the reading does not disprove stays, so that the time does not jitter.
    offsetMs = Math.min(Math.max(offsetMs ?? (leastMs + mostMs) / 2, leastMs), mostMs);
    const aheadMs = Math.round(machineMs() - nowMs());
    const differs = Math.abs(aheadMs) > warnBeyondMs;
    if (differs && !hasWarned)
      log.warn({ aheadMs }, 'the clock of this machine differs from that of the database, which is used');
    hasWarned = differs;
  };
  await read();
  let reading: Promise<void> | undefined;
  const timer = setInterval(() => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
  }, readEveryMs);
  return {
    now: () => new Date(nowMs()),
    read,
    async stop() {
      clearInterval(timer);
      await reading;
    },
  };
}

async function readTime(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database returned no time.');
  return row.ms;
}
