import { sql, type Kysely } from 'kysely';
import { coalesceRuns } from '../concurrency/coalesce-runs.ts';
import type { Tables } from '../db/tables.ts';
import type { NatsBus } from './nats-bus.ts';
import type { LogFields } from '../log/log-fields.ts';

interface WatchParts {
  readonly db: Kysely<Tables>;
  readonly bus: Pick<NatsBus, 'isConnected' | 'takeLost' | 'restoreLost' | 'notifyMissed'>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  readonly log: { warn(fields: LogFields, message: string): void };
  /** How often to check; 2 s by default. */
  readonly everyMs?: number;
  /** How often at most subscribers are told, and other nodes through the database; 5 s by default. */
  readonly tellEveryMs?: number;
}

/** The watch for events that the message server did not carry. */
export interface MissedEventsWatch {
  check(): Promise<void>;
  stop(): Promise<void>;
}

/** Reports missed events through the database, by a number that a node increments when it could not send, and that all others read. */
export function watchMissedEvents(parts: WatchParts): MissedEventsWatch {
  const { db, bus, nowMs, log, everyMs = 2_000, tellEveryMs = 5_000 } = parts;
  let known: number | undefined;
  let toldAtMs = -Infinity;
  let raisedAtMs = -Infinity;
  let hasFailed = false;

  const read = async (): Promise<void> => {
    const raises = nowMs() - raisedAtMs >= tellEveryMs && bus.takeLost();
    try {
      const { missed, hasOthers } = await (raises ? raise(db) : readState(db));
      if (raises) raisedAtMs = nowMs();
      const isMissed = known !== undefined && missed !== known + (raises ? 1 : 0);
      const isDeaf = !bus.isConnected && hasOthers && nowMs() - toldAtMs >= tellEveryMs;
      known = missed;
      if (!isMissed && !isDeaf) return;
      toldAtMs = nowMs();
      await bus.notifyMissed();
    } catch (error) {
      if (raises) bus.restoreLost();
      throw error;
    }
  };
  const check = coalesceRuns(async () => {
    try {
      await read();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed)
        log.warn(
          { err: error },
          'whether events of other nodes are missing is not known; the hub tries again',
        );
      hasFailed = true;
    }
  });
  let checking: Promise<void> | undefined;
  const timer = setInterval(() => (checking = check()), everyMs);
  return {
    check,
    async stop() {
      clearInterval(timer);
      await checking;
    },
  };
}

interface State {
  readonly missed: number;
  readonly hasOthers: boolean;
}

const hasOthers = sql`(select count(*) > 1 from cluster_nodes where lease_until > clock_timestamp()) as "hasOthers"`;

async function readState(db: Kysely<Tables>): Promise<State> {
  return one(await sql<State>`select missed, ${hasOthers} from event_bus`.execute(db));
}

async function raise(db: Kysely<Tables>): Promise<State> {
  return one(
    await sql<State>`update event_bus set missed = missed + 1 returning missed, ${hasOthers}`.execute(db),
  );
}

function one({ rows }: { readonly rows: readonly State[] }): State {
  if (rows[0] === undefined) throw new Error('The row of the table event_bus is missing.');
  return rows[0];
}
