import { formatBytes, formatCount } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';
import { table, words, type Cell } from '../output/table.ts';
import { isDone, labelOf, type Plan, type PlannedTag } from './plan.ts';

/** A project whose devices may read the repository. */
export interface AffectedProject {
  readonly name: string;
  readonly devices: number;
}

/** What a plan needs besides to be shown. */
export interface PlanFacts {
  /** The digests that the repository has. */
  readonly present: ReadonlySet<string>;
  readonly projects: readonly AffectedProject[];
  /** Why the hub would refuse the files; undefined if it would take them. */
  readonly refusal: string | undefined;
}

/** A plan as JSON. */
export function planJson(plan: Plan, { present, projects, refusal }: PlanFacts): object {
  const { manifest, repositoryId, packageId, version } = plan;
  return {
    status: isDone(plan) ? 'unchanged' : 'planned',
    repositoryId,
    ...(packageId === undefined ? {} : { packageId }),
    ...(version === undefined ? {} : { versionId: version.versionId }),
    package: manifest.package,
    ...(manifest.version === undefined ? {} : { version: manifest.version }),
    files: plan.files.map(({ filename, content }) => ({
      filename,
      size: content.sizeBytes,
      digest: content.digest,
      isPresent: present.has(content.digest),
    })),
    bytesToSend: bytesToSend(plan, present),
    tags: plan.tags.map(({ name, locked, change, from }) => ({
      tag: name,
      locked,
      change,
      ...(from === undefined ? {} : { from: from.versionId }),
    })),
    projects,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** The bytes that the repository does not have; the same bytes under two names are sent once. */
function bytesToSend({ files }: Plan, present: ReadonlySet<string>): number {
  const missing = files.filter(({ content }) => !present.has(content.digest));
  const sizes = new Map(missing.map(({ content }) => [content.digest, content.sizeBytes]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** A plan for people. */
export function planText(plan: Plan, facts: PlanFacts, out: Output): string {
  const { manifest, tags } = plan;
  const parts = [
    `${plainText(manifest.repository)}/${manifest.package}: ${versionText(plan)}`,
    filesText(plan, facts, out),
    ...(tags.length === 0 ? ['No tags are set.'] : [tagsText(tags, out)]),
    projectsText(facts.projects),
  ];
  return parts.join('\n\n');
}

function versionText({ packageId, version, manifest, files }: Plan): string {
  const name = plainText(manifest.version ?? 'without a name');
  if (packageId === undefined) return `a new package with the version ${name}`;
  if (version === undefined) return `a new version ${name}`;
  if (version.assets.length === files.length) return `the version ${name} is there, ${version.versionId}`;
  return `the version ${name} was begun and will be completed, ${version.versionId}`;
}

function filesText(plan: Plan, { present, refusal }: PlanFacts, out: Output): string {
  const rows = plan.files.map(({ filename, content }): Cell[] => [
    plainText(filename),
    formatBytes(content.sizeBytes),
    present.has(content.digest) ? { text: 'is there', paint: out.style.dim } : 'to send',
  ]);
  const size = formatBytes(bytesToSend(plan, present));
  const total =
    refusal === undefined
      ? `${size} to send.`
      : out.style.red(`${size} to send, which is more than the quota of the repository allows.`);
  return `${table([words('FILE'), 'SIZE', ''], rows, out)}\n${total}`;
}

function tagsText(tags: readonly PlannedTag[], out: Output): string {
  const rows = tags.map((tag): Cell[] => [plainText(tag.name), changeText(tag, out)]);
  return table(
    [words('TAG'), ''],
    rows.map(([name = '', change = '']) => [name, change]),
    out,
  );
}

function changeText({ change, locked, from }: PlannedTag, out: Output): Cell {
  const lock = locked ? ', locked' : '';
  if (change === 'conflict')
    return { text: `is locked at ${labelOf(from)} and cannot move`, paint: out.style.red };
  if (change === 'moves') return { text: `moves here from ${labelOf(from)}${lock}`, paint: out.style.yellow };
  if (change === 'locks') return 'is locked';
  return change === 'new' ? `new${lock}` : { text: 'stays', paint: out.style.dim };
}

function projectsText(projects: readonly AffectedProject[]): string {
  if (projects.length === 0) return 'No project is linked to the repository.';
  const list = projects.map(({ name, devices }) => `${formatCount(devices, 'device')} in ${plainText(name)}`);
  return `Devices that may fetch it: ${list.join(', ')}.`;
}
