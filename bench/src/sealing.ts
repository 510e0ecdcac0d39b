import pg from 'pg';
import { prepareDevices } from './devices.ts';
import { httpCaller } from './http-caller.ts';
import { line, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const callers = 16;
const warmUpSecs = 5;
/** The hub seals once a minute. */
const measureSecs = 180;

/** Commands per second over some minutes, and in those seconds of them in which nothing was sealed. */
export async function sealing({ hub, user, databaseUrl }: Testbed): Promise<Line[]> {
  const { deviceIds } = await prepareDevices(user, callers);
  const caller = httpCaller(hub.url, { authorization: `Bearer ${user.token}` }, callers);
  const first = Math.ceil(Date.now() / 1_000) + warmUpSecs;
  const perSecond = Array<number>(measureSecs).fill(0);
  const work = async (_: unknown, index: number): Promise<void> => {
    for (let second = 0; second < measureSecs; second = Math.floor(Date.now() / 1_000) - first) {
      const input = { deviceId: deviceIds[index], name: `device ${index}` };
      await caller.post('/api/v1/actions/invoke/devices_SetDeviceName', input);
      const ended = Math.floor(Date.now() / 1_000) - first;
      if (ended >= 0 && ended < measureSecs) perSecond[ended] = (perSecond[ended] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
  caller.close();
  const sealed = await sealedSeconds(databaseUrl, first);
  const quiet = perSecond.filter((_, second) => !sealed.has(second));
  return [
    line(
      {
        what: `commands while the log is sealed each minute (${sealed.size} of ${measureSecs} s)`,
        unit: '/s',
        ours: mean(perSecond),
        anchor: mean(quiet),
        anchorName: 'the same in the seconds without a seal',
      },
      { atLeast: 0.95 },
    ),
  ];
}

/** The seconds in which a seal was made, and those next to them, since it takes a while. */
async function sealedSeconds(databaseUrl: string, first: number): Promise<Set<number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ at: string }>(
      `select distinct floor(extract(epoch from (statement::json ->> 'sealedAt')::timestamptz)) as at from audit_seals`,
    );
    const near = rows.flatMap(({ at }) => [-1, 0, 1].map((more) => Number(at) + more - first));
    return new Set(near.filter((second) => second >= 0 && second < measureSecs));
  } finally {
    await client.end();
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
