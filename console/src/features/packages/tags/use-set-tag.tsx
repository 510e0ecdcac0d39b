import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { submitUndoable } from '../../../parts/undoable.ts';
import { packagesCopy } from '../copy.ts';
import type { PackageParams } from '../package/version-columns.tsx';
import { versionName } from '../version-name.ts';
import { tagVersion, untagVersion } from './mutations.ts';
import { readTagChange, type TagChange, type WantedTag } from './tag-change.ts';
import { TagConsequences } from './TagConsequences.tsx';

const words = packagesCopy.setTag;

/**
 * A function that asks with what would change, and then points a tag at a version, with Undo unless the tag is locked. It resolves
 * when the question is on the screen, and rejects with a sentence where nothing can change. The function keeps its identity.
 */
export function useSetTag(params: PackageParams): (wanted: WantedTag) => Promise<void> {
  const client = useQueryClient();
  const run = useRun();
  const { repositoryId, packageId } = params;
  return useCallback(
    async (wanted) => {
      const change = await readTagChange(client, { repositoryId, packageId }, wanted);
      const { tag, locked, from, to, isLocked } = change;
      const isHere = from?.versionId === to.versionId;
      if (isHere && (isLocked || !locked)) throw new Error(words.isHere(tag, versionName(to), isLocked));
      if (isLocked) throw new Error(words.isLocked(tag, versionName(from ?? to)));
      const [title, verb] = questionOf(change);
      void confirm({
        title,
        verb,
        text: <TagConsequences change={change} />,
        tone: locked ? 'danger' : 'primary',
        action: () =>
          submitUndoable(run, tagVersion, inputOf(change), { ...undoOf(change), ...reportOf(change) }),
      });
    },
    [client, run, repositoryId, packageId],
  );
}

function questionOf({ tag, locked, from, to }: TagChange): readonly [title: string, verb: string] {
  if (from?.versionId === to.versionId) return [words.lockTitle(tag), words.lockVerb];
  if (from === undefined) return [words.addTitle(tag), locked ? words.addLockVerb : words.addVerb];
  return [words.moveTitle(tag), locked ? words.moveLockVerb : words.moveVerb];
}

/** A tag that somebody else adds meanwhile is not taken from there. */
const inputOf = ({ tag, locked, versionId, from }: TagChange) => ({
  versionId,
  tags: [{ tag, locked, reassign: from !== undefined }],
});

/** A lock cannot be undone. */
function undoOf({ tag, locked, versionId, from }: TagChange) {
  if (locked) return {};
  if (from !== undefined) return { inverse: { versionId: from.versionId, tags: [{ tag }] } };
  return { inverse: { versionId, tags: [{ tag }] }, inverseMutation: untagVersion };
}

const reportOf = ({ tag, locked, to }: TagChange) => ({
  done: locked ? words.lockedDone(tag, versionName(to)) : words.done(tag, versionName(to)),
  failed: words.failed(tag),
});
