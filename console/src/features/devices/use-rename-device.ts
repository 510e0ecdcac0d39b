import type { Id } from '@corral/contract';
import { useUndoableSubmit } from '../../parts/use-undoable-run.ts';
import { devicesCopy } from './copy.ts';
import { renameDevice } from './mutations.ts';

/** Renames a device optimistically, with Undo; rejects when the hub refuses. `former` is the name that Undo restores. */
export function useRenameDevice(): (
  deviceId: Id<'device'>,
  name: string,
  former: string | undefined,
) => Promise<void> {
  const submit = useUndoableSubmit();
  return (deviceId, name, former) =>
    submit(
      renameDevice,
      { deviceId, name },
      {
        inverse: { deviceId, name: former ?? '' },
        done: devicesCopy.renamed(name),
        failed: devicesCopy.notRenamed,
      },
    );
}
