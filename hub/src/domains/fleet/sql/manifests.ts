import { checkJsonSchema, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { distinctPlaces, type SecretPlace, secretPlaces } from '../../operations/index.ts';
import type { GivenDefinition } from './definition.ts';

/** A command that an operation runs. */
export interface NeededCommand {
  readonly name: string;
  readonly input: Json;
}

/** Devices that offer these commands cannot do the operation. */
export interface UnfitManifest {
  readonly hash: string;
  /** Why, as the preview says it. */
  readonly reason: string;
}

/** The most frequent lists of commands of a project; devices with others are not checked, their agents check each command themselves. */
const mostManifests = 500;
const longestReason = 300;

interface Row {
  readonly hash: string;
  readonly manifest: { readonly commands?: unknown } | null;
}

/** The lists of commands in a project that lack one of the needed commands, or whose schema of the input is not met: each distinct list is checked once. */
export async function findUnfitManifests(
  tx: Database,
  projectId: string,
  needed: readonly NeededCommand[],
): Promise<UnfitManifest[]> {
  if (needed.length === 0) return [];
  const unfit: UnfitManifest[] = [];
  for await (const { hash, manifest } of readManifests(tx, projectId)) {
    const reason = unfitness(manifest, needed);
    if (reason !== undefined) unfit.push({ hash, reason });
  }
  return unfit;
}

/** The most frequent lists of commands of a project, one after the other: all together may be large. */
async function* readManifests(tx: Database, projectId: string): AsyncGenerator<Row> {
  const { rows: found } = await sql<{ readonly device_id: string }>`
    select min(a.device_id) as device_id from device_abilities a join devices d using (device_id)
    where d.project_id = ${projectId} and a.manifest_hash is not null
    group by a.manifest_hash order by count(*) desc limit ${sql.lit(mostManifests)}`.execute(tx);
  for (const { device_id } of found) {
    const { rows } = await sql<Row>`
      select a.manifest_hash as hash, p.value as manifest from device_abilities a join device_properties p using (device_id)
      where a.device_id = ${device_id} and p.name = 'dev.nexigon.commands'`.execute(tx);
    yield* rows;
  }
}

/** Where in the steps of an operation the devices of its project say that secrets are. */
export async function readSecretPlaces(
  tx: Database,
  { projectId, steps }: { readonly projectId: string; readonly steps: GivenDefinition['steps'] },
): Promise<SecretPlace[]> {
  if (!steps.some(({ kind }) => kind === 'DeviceCommand')) return [];
  let places: SecretPlace[] = [];
  for await (const { manifest } of readManifests(tx, projectId))
    places = distinctPlaces([...places, ...secretPlaces(steps, manifest as Json)]);
  return places;
}

/** Stores where secrets are in the steps of an operation, by its raw id, together with the places that were stored before. */
export async function addSecretPlaces(
  tx: Database,
  operationId: string,
  places: readonly SecretPlace[],
): Promise<void> {
  if (places.length === 0) return;
  await sql`update fleet_operations set secret_places = (
      select jsonb_agg(distinct p.place) from jsonb_array_elements(coalesce(secret_places, '[]') || ${JSON.stringify(places)}::jsonb) as p(place))
    where fleet_operation_id = ${operationId}`.execute(tx);
}

function unfitness(manifest: Row['manifest'], needed: readonly NeededCommand[]): string | undefined {
  const commands = manifest?.commands;
  const offered = Array.isArray(commands) ? (commands as ({ name?: unknown; input?: unknown } | null)[]) : [];
  for (const { name, input } of needed) {
    const found = offered.find((one) => one?.name === name);
    if (found === undefined || found === null) return `Offers no command "${name}"`;
    const problem = found.input === undefined ? undefined : checkJsonSchema(found.input, input);
    if (problem !== undefined)
      return `The input does not suit its command "${name}": ${problem.path === '' ? 'it' : problem.path} ${problem.message}`.slice(
        0,
        longestReason,
      );
  }
  return undefined;
}
