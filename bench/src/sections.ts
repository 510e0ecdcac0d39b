import { abuse } from './abuse.ts';
import { assets } from './assets/assets.ts';
import { calls } from './calls.ts';
import { connections } from './connections.ts';
import { consoleFigures } from './console.ts';
import { forward } from './forward.ts';
import { idleConnections, prepareIdleDevices } from './idle-connections.ts';
import { largeFleet } from './large-fleet/large-fleet.ts';
import { people } from './people.ts';
import { proxy } from './proxy.ts';
import { ingest } from './ingest.ts';
import type { Testbed } from './testbed.ts';
import { starts } from './starts.ts';
import { storm } from './storm.ts';
import type { Line } from './table.ts';

/** The sections by name. Each finds a running hub and leaves one running. */
export const sections = {
  console: ({ hub, user }: Testbed) => consoleFigures(hub, user),
  calls: ({ hub, user, databaseUrl }: Testbed) => calls(hub, user, databaseUrl),
  ingest: ({ hub, user, databaseUrl }: Testbed) => ingest(hub, user, databaseUrl),
  assets,
  people,
  fleet: largeFleet,
  forward,
  proxy,
  connections,
  abuse,
  storm,
  idle,
  starts: () => starts(),
} satisfies Record<string, (testbed: Testbed) => Promise<Line[]>>;

/** The name of a section. */
export type SectionName = keyof typeof sections;

/** The named sections, or all for no names; undefined when a name is unknown. */
export function chooseSections(words: readonly string[]): SectionName[] | undefined {
  const all = Object.keys(sections) as SectionName[];
  if (words.length === 0) return all;
  return words.every((word) => Object.hasOwn(sections, word)) ? (words as SectionName[]) : undefined;
}

/** Memory is measured on a fresh hub. */
async function idle(testbed: Testbed): Promise<Line[]> {
  const devices = await prepareIdleDevices(testbed.user);
  return idleConnections(await testbed.restart(), devices);
}
