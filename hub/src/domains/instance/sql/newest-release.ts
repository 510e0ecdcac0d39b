import type { Database } from '../../../platform/db/connect.ts';
import { isOlderRelease } from '../../../platform/db/releases.ts';
import { readSetting } from './instance-settings.ts';

/** The setting that keeps the newest release that the hub has heard of. */
export const newestReleaseSetting = 'newestRelease';

/** A release that is out, and what is urgent or comes before an upgrade of it and of those before. */
export type NewestRelease = {
  readonly version: string;
  readonly notes: { readonly version: string; readonly text: string }[];
};

/** The notes of the releases that are newer than one of these, a line for each. */
export function notesSince(releases: readonly string[], { notes }: NewestRelease): string {
  return notes
    .filter((note) => isOneOlder(releases, note.version))
    .map(({ version, text }) => `${version} ${text}`)
    .join('\n');
}

/** The newest release that the hub has heard of, if one of its nodes runs an older one, with what is new for that node. */
export async function newerRelease(
  tx: Database,
  now: Date,
): Promise<Readonly<Record<'version' | 'notes', string>> | undefined> {
  const newest = (await readSetting(tx, newestReleaseSetting)) as NewestRelease | undefined;
  if (newest === undefined) return undefined;
  const nodes = await tx
    .selectFrom('cluster_nodes')
    .select('version')
    .where('lease_until', '>', now.toISOString())
    .execute();
  const releases = nodes.flatMap(({ version }) => version ?? []);
  if (!isOneOlder(releases, newest.version)) return undefined;
  return { version: newest.version, notes: notesSince(releases, newest) };
}

const isOneOlder = (releases: readonly string[], than: string): boolean =>
  releases.some((release) => isOlderRelease(release, than));
