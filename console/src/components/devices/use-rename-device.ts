import { enDevices } from '../../copy/en-devices.ts';
import { type DeviceRef, renameDevice } from '../../data/mutations-devices.ts';
import { useUndoableMutation } from '../use-undoable-mutation.ts';

/** Renames a device optimistically, with Undo. `former` is the name that Undo restores. */
export function useRenameDevice(): (device: DeviceRef, name: string, former: string | undefined) => void {
  const rename = useUndoableMutation(renameDevice, {
    done: ({ name }) => enDevices.renamed(name),
    failed: () => enDevices.notRenamed,
  });
  return ({ projectId, deviceId }, name, former) =>
    rename({ projectId, deviceId, name }, { projectId, deviceId, name: former ?? '' });
}
