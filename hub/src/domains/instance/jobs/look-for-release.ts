import { z } from 'zod';
import { type InternalRunner, systemCaller } from '../../../calls/handler.ts';
import type { ScheduledJob } from '../../../platform/jobs/start-jobs.ts';
import type { Outgoing } from '../../../platform/outgoing/open-outgoing.ts';
import { oneLine } from '../../../platform/messages/plain-text.ts';
import { RecordNewestRelease } from '../internal/RecordNewestRelease.ts';

const version = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/);

/** So many notes of so many characters are a text of the API. */
const most = { notes: 16, characters: 450 };

/** What `newest.json` of a release says: its version, and what is urgent or comes before an upgrade of it and of those before, newest first. Whoever sends it is not trusted with what terminals act on. */
const newestRelease = z.object({
  version,
  notes: z
    .array(z.object({ version, text: z.string().transform((text) => oneLine(text, most.characters)) }))
    .transform((notes) => notes.slice(0, most.notes)),
});

interface LookParts {
  readonly executor: InternalRunner;
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** Undefined: nobody is asked. */
  readonly url: string | undefined;
}

/** Reads once a day which release is the newest, where the operator names an address that says it. */
export function lookForReleaseJob(parts: LookParts): ScheduledJob {
  return { name: 'look-for-release', cron: '47 5 * * *', run: () => lookForRelease(parts), longestSecs: 60 };
}

/** Records the newest release, or that nobody is asked any more. Rejects with an Error with one sentence. */
export async function lookForRelease({ executor, outgoing, url }: LookParts): Promise<void> {
  const release = url === undefined ? undefined : await readNewestRelease(outgoing, url);
  await executor.run(systemCaller, RecordNewestRelease, { release });
}

/** Reads the file `newest.json` of a release. Rejects with an Error with one sentence. */
export async function readNewestRelease(
  outgoing: Pick<Outgoing, 'fetch'>,
  url: string,
): Promise<z.output<typeof newestRelease>> {
  const answer = await outgoing.fetch(url, { headers: { accept: 'application/json' } });
  const { host } = new URL(url);
  if (answer.status !== 200)
    throw new Error(
      `${host} was asked for the newest release, and answered with the status ${answer.status}.`,
    );
  const read = newestRelease.safeParse(await answer.json().catch(() => undefined));
  if (!read.success) throw new Error(`What ${host} answers is not the newest.json of a release.`);
  return read.data;
}
