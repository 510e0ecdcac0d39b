import type { Id } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRun } from '../../../data/action-mutation.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
import { uploadQueueOf } from '../files/uploads/uploads.ts';
import { createVersion } from '../mutations.ts';
import { type PackageParams, versionLink } from '../package/version-columns.tsx';
import { versionName } from '../version-name.ts';
import { publishCopy } from './copy.ts';
import type { DraftVersion } from './draft-version.ts';
import { rememberTags } from './publication.ts';
import { newPublication } from './publications.ts';
import type { TagTarget } from './tag-targets.ts';

/**
 * A function that creates the version, begins to upload its files, and goes to its page, which shows them. The tags are set when all files are
 * complete. Rejects when the version cannot be created.
 */
export function usePublish(
  params: PackageParams,
): (draft: DraftVersion, targets: readonly TagTarget[]) => Promise<void> {
  const client = useQueryClient();
  const run = useRun();
  const navigate = useNavigate();
  return async (draft, targets) => {
    const { files, metadata } = draft;
    const name = draft.name.trim() === '' ? undefined : draft.name.trim();
    const created = await run(createVersion, {
      packageId: params.packageId,
      metadata,
      ...(name === undefined ? {} : { name }),
    });
    const versionId = created.versionId as Id<'packageVersion'>;
    const label = versionName({ name, versionId });
    // A tag that somebody else adds meanwhile is not taken from there.
    const tags = draft.tags.map((one, index) => ({
      ...one,
      reassign: targets[index]?.version !== undefined,
    }));
    const queue = uploadQueueOf(client, versionId);
    queue.add(files, { repositoryId: params.repositoryId, kind: 'version', id: versionId });
    if (tags.length > 0) {
      rememberTags(versionId, tags);
      const filenames = files.map(({ name: filename }) => filename);
      newPublication(client, { versionId, name: label }, tags).awaitFiles(queue, filenames);
    }
    showToast(publishCopy.created(label), { tone: 'ok' });
    await navigate(versionLink(params, versionId));
  };
}
