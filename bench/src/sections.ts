import { abuseParts } from './abuse.ts';
import { alerts } from './alerts/alerts.ts';
import { assetParts } from './assets/assets.ts';
import { clusterParts } from './cluster/cluster.ts';
import { backupAndRestore } from './backup/backup.ts';
import { connections } from './connections.ts';
import { consoleFigures } from './console.ts';
import { events } from './events.ts';
import { forward } from './forward.ts';
import { idleConnections, prepareIdleDevices } from './idle-connections.ts';
import { killed } from './killed.ts';
import { largeFleet } from './large-fleet/large-fleet.ts';
import { longLists } from './large-fleet/long-lists.ts';
import { operationParts } from './operations/operations.ts';
import { otlp } from './otlp.ts';
import { peopleParts } from './people.ts';
import { proxy } from './proxy.ts';
import { rotation } from './rotation.ts';
import { openTestbed, type Testbed } from './testbed.ts';
import { terminal } from './terminal.ts';
import { starts } from './starts.ts';
import type { Line } from './table.ts';

type Section = (testbed: Testbed) => Promise<Line[]>;

/** The sections by name; one that takes long is cut into parts. Each finds a running hub and leaves one running. */
const sections: Readonly<Record<string, Section | Readonly<Record<string, Section>>>> = {
  console: ({ hub, user, databaseUrl }: Testbed) => consoleFigures(hub, user, databaseUrl),
  events,
  killed,
  assets: assetParts,
  people: peopleParts,
  cluster: clusterParts,
  fleet: { devices: onItsOwn(largeFleet), lists: onItsOwn(longLists) },
  forward,
  proxy,
  connections,
  abuse: abuseParts,
  idle,
  operations: operationParts,
  alerts,
  otlp,
  terminal,
  rotation,
  starts: () => starts(),
  backup: () => backupAndRestore(),
};

/** What must hold whatever else changes: the sections of `npm run bench -- scenarios`. */
const scenarios = [
  'connections',
  'fleet/devices',
  'events',
  'forward',
  'proxy',
  'assets/large',
  'assets/small',
  'assets/store',
  'assets/huge',
  'idle',
  'abuse/short',
  'cluster/revocations',
  'killed',
];

/** What `npm run bench` takes as names. */
export const sectionNames: readonly string[] = [
  'scenarios',
  ...Object.entries(sections).flatMap(([name, section]) =>
    typeof section === 'function' ? [name] : [name, ...Object.keys(section).map((part) => `${name}/${part}`)],
  ),
];

/** A measurement that was chosen. */
export interface Chosen {
  readonly name: string;
  readonly measure: Section;
}

/** The named sections and parts of sections, or all for no names; undefined when a name is unknown. */
export function chooseSections(words: readonly string[]): Chosen[] | undefined {
  if (words.length === 0) return Object.keys(sections).flatMap(partsOf);
  return words.every((word) => sectionNames.includes(word)) ? words.flatMap(partsOf) : undefined;
}

function partsOf(word: string): Chosen[] {
  if (word === 'scenarios') return scenarios.flatMap(partsOf);
  const [name = '', chosen] = word.split('/');
  const section = sections[name];
  if (section === undefined) return [];
  if (typeof section === 'function') return [{ name, measure: section }];
  return Object.entries(section)
    .filter(([part]) => chosen === undefined || part === chosen)
    .map(([part, measure]) => ({ name: `${name}/${part}`, measure }));
}

/** On a testbed of its own: the devices stay, and their node would keep other hubs from starting. */
function onItsOwn(measure: Section): Section {
  return async () => {
    const testbed = await openTestbed();
    try {
      return await measure(testbed);
    } finally {
      await testbed.stop();
    }
  };
}

/** Memory is measured on a fresh hub. */
async function idle(testbed: Testbed): Promise<Line[]> {
  const devices = await prepareIdleDevices(testbed.user);
  return idleConnections(await testbed.restart(), devices);
}
