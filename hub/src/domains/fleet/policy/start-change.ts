import { type EventName, type Id, ids, type Json } from '@corral/contract';
import { changeData, type StoredChange } from '../sql/changes.ts';

/** Announces a change that was made, and has this node go on with it at once. */
export function startChange(
  emit: (name: EventName, data: Readonly<Record<string, Json>>) => unknown,
  change: Pick<StoredChange, 'changeId' | 'projectId' | 'change' | 'undoes' | 'total'>,
): { readonly jobId: Id<'fleetJob'> } {
  emit('fleet_ChangeStarted', { ...changeData(change), devices: change.total });
  emit('fleet_ChangeDue', {});
  return { jobId: ids.fleetJob.of(change.changeId) };
}
