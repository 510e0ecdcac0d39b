import type { ActionDefinition, Actor } from '@corral/contract';

/** Those who call an action continuously that people call now and then. */
const continuousCallers: ReadonlySet<Actor['actor']> = new Set(['Device', 'ClusterNode', 'System']);

/** Whether a call of an action by this actor gets a row in the audit log. */
export function isRecordedCall({ audit }: Pick<ActionDefinition, 'audit'>, { actor }: Actor): boolean {
  return audit === 'recorded' || (audit === 'people' && !continuousCallers.has(actor));
}
