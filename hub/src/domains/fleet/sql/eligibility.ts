import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { isConnected, shownName } from '../../devices/index.ts';
import type { Definition, GivenDefinition } from './definition.ts';
import { findUnfitManifests, type NeededCommand, type UnfitManifest } from './manifests.ts';
import type { InstalledVersion } from './recipes.ts';
import { select, type Scope, type Selection } from './selection.ts';

/** What is asked of devices. */
export interface Plan {
  readonly selector: Definition['selector'];
  readonly steps: GivenDefinition['steps'];
  readonly version: InstalledVersion | undefined;
}

/** The devices that are selected, and which of them can do what is asked. */
export interface Eligibility extends Pick<Selection, 'errors'> {
  /**
   * SQL of the selected devices: `device_id`, `name`, `is_connected`, `is_busy`, `from_version` (the raw id of the installed version), and `reason`: null
   * for the devices that can do it.
   */
  readonly matched: RawBuilder<unknown>;
}

/** Selects devices and finds out which of them can do what is asked. */
export async function findEligible(tx: Database, plan: Plan, scope: Scope): Promise<Eligibility> {
  const { passes, errors } = await select(tx, plan.selector, scope);
  const unfit = await findUnfitManifests(tx, scope.projectId, neededCommands(plan.steps));
  return { matched: matchedSql(passes, unfit, plan, scope), errors };
}

function neededCommands(steps: Plan['steps']): NeededCommand[] {
  return steps.flatMap((step) =>
    // Whether a step with a condition runs is not known yet.
    step.kind === 'DeviceCommand' && step.when === undefined
      ? [{ name: step.command, input: step.input }]
      : [],
  );
}

/** Devices whose agents claimed work within a day before they last connected, or later. */
const claims = sql<boolean>`coalesce(a.claimed_at >= d.last_connected_at - interval '1 day', false)`;
const servesChannels = sql<boolean>`coalesce(a.has_commands, false)`;

function carrierOf({ steps }: Plan): RawBuilder<boolean> | undefined {
  if (steps.some(({ kind }) => kind === 'DeviceTask')) return claims;
  if (!steps.some(({ kind }) => kind === 'DeviceCommand')) return undefined;
  return sql<boolean>`(${claims} or ${servesChannels})`;
}

function matchedSql(
  passes: RawBuilder<boolean>,
  unfit: readonly UnfitManifest[],
  plan: Plan,
  { now }: Scope,
): RawBuilder<unknown> {
  const { steps, version } = plan;
  const carrier = carrierOf(plan);
  const needsManifest = neededCommands(steps).length > 0;
  const isThere = version === undefined ? sql`false` : sql`i.version_id = ${version.versionId}`;
  const installs =
    version === undefined
      ? sql``
      : sql`left join device_installs i on i.device_id = d.device_id and i.package_id = ${version.packageId}`;
  return sql`
    select d.device_id, ${shownName} as name, coalesce(${isConnected(now)}, false) as is_connected,
      d.device_id in (select r.device_id from device_operations r where r.status = 'Running') as is_busy,
      ${version === undefined ? sql`null::text` : sql`i.version_id`} as from_version,
      case when d.last_connected_at is null then 'Has never connected'
        when ${isThere} then 'Has this version already'
        when ${carrier === undefined ? sql`false` : sql`not ${carrier}`} then 'Cannot run commands'
        when ${needsManifest} and a.manifest_hash is null and not ${claims} then 'Offers no commands'
        else u.reason end as reason
    from devices d left join device_abilities a using (device_id) ${installs}
    left join jsonb_to_recordset(${JSON.stringify(unfit)}::jsonb) as u(hash uuid, reason text) on u.hash = a.manifest_hash
    where ${passes}`;
}
