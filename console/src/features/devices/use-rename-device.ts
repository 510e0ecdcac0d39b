import { devicesCopy } from './copy.ts';
import { type DeviceRef, renameDevice } from './mutations.ts';
import { useUndoableMutation } from '../../parts/use-undoable-mutation.ts';

/** Renames a device optimistically, with Undo. `former` is the name that Undo restores. */
export function useRenameDevice(): (device: DeviceRef, name: string, former: string | undefined) => void {
  const rename = useUndoableMutation(renameDevice, {
    done: ({ name }) => devicesCopy.renamed(name),
    failed: () => devicesCopy.notRenamed,
  });
  return ({ projectId, deviceId }, name, former) =>
    rename({ projectId, deviceId, name }, { projectId, deviceId, name: former ?? '' });
}
