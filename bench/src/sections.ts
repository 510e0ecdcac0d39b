import { abuse } from './abuse.ts';
import { calls } from './calls.ts';
import { connections } from './connections.ts';
import { consolePaints } from './console.ts';
import { forward } from './forward.ts';
import { idleConnections, prepareIdleDevices } from './idle-connections.ts';
import { proxy } from './proxy.ts';
import { ingest } from './ingest.ts';
import type { Site } from './site.ts';
import { starts } from './starts.ts';
import { storm } from './storm.ts';
import type { Line } from './table.ts';

/** What can be measured by name. Each finds a hub that runs, and leaves one. */
export const sections = {
  console: ({ hub, user }: Site) => consolePaints(hub, user),
  calls: ({ hub, user, databaseUrl }: Site) => calls(hub, user, databaseUrl),
  ingest: ({ hub, user, databaseUrl }: Site) => ingest(hub, user, databaseUrl),
  forward,
  proxy,
  connections,
  abuse,
  storm,
  idle,
  starts: () => starts(),
} satisfies Record<string, (site: Site) => Promise<Line[]>>;

/** The name of a section. */
export type SectionName = keyof typeof sections;

/** The sections that are meant, all where none is named; undefined for a name that is none. */
export function chooseSections(words: readonly string[]): SectionName[] | undefined {
  const all = Object.keys(sections) as SectionName[];
  if (words.length === 0) return all;
  return words.every((word) => Object.hasOwn(sections, word)) ? (words as SectionName[]) : undefined;
}

/** Memory is measured on a hub that has done nothing else. */
async function idle(site: Site): Promise<Line[]> {
  const devices = await prepareIdleDevices(site.user);
  return idleConnections(await site.restart(), devices);
}
