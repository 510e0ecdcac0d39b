import { ActionError, type Id, ids, type Input } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { changeSql, type DeviceChange, isConnected, shownName } from '../../devices/index.ts';
import { mustFindDevices, type Scope, select } from './selection.ts';

/** Which devices are to be changed. */
export type SelectedForChange = Pick<Input<'fleet_PreviewChange'>, 'query' | 'deviceIds'>;

/** SQL of the selected devices with what a change would do to them. Throws an `ActionError` of kind Invalid for a selection with a mistake. */
export async function selectForChange(
  tx: Database,
  { query, deviceIds }: SelectedForChange,
  change: DeviceChange,
  scope: Scope,
): Promise<RawBuilder<unknown>> {
  mustBeSelection(query, deviceIds);
  const selector = { query, deviceIds: deviceIds as Id<'device'>[] | undefined, predicates: [] };
  await mustFindDevices(tx, selector, scope.projectId);
  const { passes } = await select(tx, selector, scope);
  const { before, after, given, reason } = changeSql(change);
  return sql`select d.device_id, ${shownName} as name, ${before} as before, ${after} as after, ${given} as given,
    ${reason} as reason, coalesce(${isConnected(scope.now)}, false) as is_connected
    from devices d where ${passes}`;
}

function mustBeSelection(query: string | undefined, deviceIds: readonly string[] | undefined): void {
  const problem =
    deviceIds === undefined
      ? (query ?? '').trim() === '' &&
        'Say which devices are changed: by a filter or a list of devices. For all devices of the project write the filter "all".'
      : query !== undefined
        ? 'Say which devices are changed either by a filter or by a list of devices.'
        : deviceIds.length === 0 && 'The list of devices is empty.';
  if (problem !== false) throw new ActionError('Invalid', problem);
}

/** SQL of a short text that is equal for an equal change of equal devices, and begins with their number; `e` are the devices. */
export function changeHash(change: DeviceChange): RawBuilder<string> {
  const ofDevices = [0, 1].map(
    (seed) => sql`coalesce(sum(hashtextextended(concat_ws(' ', e.device_id, e.given), ${sql.lit(seed)})), 0)`,
  );
  return sql<string>`count(*) || '-' || left(encode(sha256(convert_to(concat_ws(' ', ${JSON.stringify(change)}::jsonb::text, ${sql.join(ofDevices)}), 'UTF8')), 'hex'), 32)`;
}

/** Says how a selection differs from that of the preview. */
export function changedSelection(previewHash: string, count: number): ActionError {
  const before = Number(previewHash.split('-')[0]);
  const devices = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'device' : 'devices'}`;
  const difference =
    Number.isSafeInteger(before) && before !== count
      ? `the preview would have changed ${devices(before)}, and now it would be ${devices(count)}`
      : 'it would change other devices, or give them something else';
  return new ActionError(
    'Invalid',
    `The selection has changed since the preview: ${difference}. Nothing was changed; look at the preview again.`,
  );
}

/** A device as previews name it. */
export function namedDevice({ id, name }: { readonly id: string; readonly name: string | null }) {
  return { deviceId: ids.device.of(id), ...(name === null ? {} : { name }) };
}
