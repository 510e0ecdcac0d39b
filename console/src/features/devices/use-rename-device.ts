import type { Id } from '@corral/contract';
import { useUndoableRun } from '../../parts/use-undoable-run.ts';
import { devicesCopy } from './copy.ts';
import { renameDevice } from './mutations.ts';

/** Renames a device optimistically, with Undo. `former` is the name that Undo restores. */
export function useRenameDevice(): (
  deviceId: Id<'device'>,
  name: string,
  former: string | undefined,
) => void {
  const runUndoable = useUndoableRun();
  return (deviceId, name, former) =>
    runUndoable(
      renameDevice,
      { deviceId, name },
      {
        inverse: { deviceId, name: former ?? '' },
        done: devicesCopy.renamed(name),
        failed: devicesCopy.notRenamed,
      },
    );
}
