import type { Id } from '@corral/contract';
import { useRun } from '../../data/action-mutation.ts';
import { confirm } from '../../parts/confirm.ts';
import { submitUndoable } from '../../parts/undoable.ts';
import { devicesCopy as words } from './copy.ts';
import { renameDevice } from './mutations.ts';

/**
 * Renames a device optimistically, with Undo; rejects when the hub refuses. `former` is the name that Undo restores. A blank name asks first
 * whether to remove the former one, without waiting for the answer.
 */
export function useRenameDevice(): (
  deviceId: Id<'device'>,
  name: string,
  former: string | undefined,
) => Promise<void> {
  const run = useRun();
  return async (deviceId, name, former = '') => {
    const [isBlank, hadName] = [name.trim() === '', former.trim() !== ''];
    const rename = (done: string): Promise<void> =>
      submitUndoable(
        run,
        renameDevice,
        { deviceId, name },
        {
          inverse: hadName || !isBlank ? { deviceId, name: former } : undefined,
          done,
          failed: words.notRenamed,
        },
      );
    if (!isBlank) await rename(words.renamed(name));
    else if (!hadName) await rename(words.hasNoName);
    else
      void confirm({
        ...words.removeName,
        text: words.removeNameText(former),
        tone: 'primary',
        action: () => rename(words.nameRemoved),
      });
  };
}
