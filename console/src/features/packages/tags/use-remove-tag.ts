import type { Id } from '@corral/contract';
import { useCallback } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { submitUndoable } from '../../../parts/undoable.ts';
import { packagesCopy } from '../copy.ts';
import { versionName } from '../version-name.ts';
import { tagVersion, untagVersion } from './mutations.ts';

const words = packagesCopy.removeTag;

/** A function that asks, and then removes a tag from a version, with Undo. */
export function useRemoveTag(): (
  tag: string,
  version: { versionId: Id<'packageVersion'>; name?: string | undefined },
) => void {
  const run = useRun();
  return useCallback(
    (tag, version) => {
      const input = { versionId: version.versionId, tags: [{ tag }] };
      void confirm({
        title: words.title(tag),
        text: words.text(tag, versionName(version)),
        verb: words.verb,
        tone: 'danger',
        action: () =>
          submitUndoable(run, untagVersion, input, {
            inverse: input,
            inverseMutation: tagVersion,
            done: words.done(tag),
            failed: words.failed(tag),
          }),
      });
    },
    [run],
  );
}
