import type { Database } from '../../../platform/db/connect.ts';
import { isOlderRelease } from '../../../platform/db/releases.ts';
import { readSetting } from './instance-settings.ts';

/** The setting that keeps the newest release that the hub has heard of. */
export const newestReleaseSetting = 'newestRelease';

/** A release that is out, and what of its notes is urgent or comes before an upgrade. */
export type NewestRelease = Readonly<Record<'version' | 'notes', string>>;

/** The newest release that the hub has heard of, if one of its nodes runs an older one. */
export async function newerRelease(tx: Database, now: Date): Promise<NewestRelease | undefined> {
  const newest = (await readSetting(tx, newestReleaseSetting)) as NewestRelease | undefined;
  if (newest === undefined) return undefined;
  const nodes = await tx
    .selectFrom('cluster_nodes')
    .select('version')
    .where('lease_until', '>', now.toISOString())
    .execute();
  return nodes.some(({ version }) => version !== null && isOlderRelease(version, newest.version))
    ? newest
    : undefined;
}
