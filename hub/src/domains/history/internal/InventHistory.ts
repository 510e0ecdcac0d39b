import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { hasHistory, inventHistory } from '../sql/invent-history.ts';
import { inventVersions } from '../sql/invent-versions.ts';

interface Demo {
  readonly projectId: Id<'project'>;
  readonly devices: number;
  readonly nodeName: string;
}

/** Writes an invented past of 30 days for a demo; on a hub that has recorded anything itself it writes nothing. Resolves with whether it wrote. */
export const InventHistory: Internal<Demo, { isWritten: boolean }> = {
  name: 'instance_InventHistory',
  async run({ tx, input, now }) {
    if (await hasHistory(tx, now)) return { isWritten: false };
    const projectId = ids.project.raw(input.projectId);
    await inventHistory(tx, { ...input, projectId }, now);
    await inventVersions(tx, projectId, now);
    return { isWritten: true };
  },
};
