import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const pollMs = 100;
const ended = ['completed', 'failed', 'cancelled'];

/** The job queue of a running hub. */
export interface JobQueue {
  /** Keeps the schedule from running these jobs until the hub starts again. */
  unschedule(names: readonly string[]): Promise<void>;
  /** Queues a job, which the hub takes within half a minute. Resolves with its id when it has begun. */
  begin(name: string): Promise<string>;
  /** Resolves when a job has succeeded; rejects if it fails. */
  untilDone(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the job queue in the database of a hub. */
export async function openJobQueue(connectionString: string): Promise<JobQueue> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const stateOf = async (id: string): Promise<{ state: string; output: unknown }> => {
    const { rows } = await client.query('select state, output from corral_jobs.job where id = $1', [id]);
    return rows[0];
  };
  return {
    async unschedule(names) {
      await client.query('delete from corral_jobs.schedule where name = any($1)', [names]);
    },
    async begin(name) {
      const { rows } = await client.query<{ id: string }>(
        `insert into corral_jobs.job (name, policy, expire_seconds) values ($1, 'exclusive', 1800) returning id`,
        [name],
      );
      const { id = '' } = rows[0] ?? {};
      while ((await stateOf(id)).state === 'created') await delay(pollMs);
      return id;
    },
    async untilDone(id) {
      let job = await stateOf(id);
      for (; !ended.includes(job.state); job = await stateOf(id)) {
        if (job.state === 'retry') break;
        await delay(pollMs);
      }
      if (job.state !== 'completed')
        throw new Error(`The job is ${job.state}: ${JSON.stringify(job.output)}`);
    },
    close: () => client.end(),
  };
}
