import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useRun } from '../../data/action-mutation.ts';
import { repositoryQuery } from '../../data/queries-repositories.ts';
import { Button } from '../../ui/action/Button.tsx';
import { confirm, type Confirmation } from '../confirm.ts';
import { type Asset, downloadProblem } from './asset-state.ts';
import { assetCopy } from './copy.ts';
import { deleteAsset } from './mutations.ts';
import { useDownload } from './use-download.ts';

/** The question before a file is removed from its version or package, and why it cannot be. */
export type FileRemoval = Confirmation & { readonly disabledReason: string | undefined };

/** Buttons that download an asset, and for those who may write remove its file from where it was opened, or delete it if no file refers to it. */
export function AssetActions({
  repositoryId,
  asset,
  filename,
  removal,
  onClose,
}: {
  repositoryId: Id<'repository'>;
  asset: Asset;
  filename: string | undefined;
  removal?: FileRemoval | undefined;
  onClose: () => void;
}) {
  const run = useRun();
  const download = useDownload();
  const { data: repository } = useQuery(repositoryQuery(repositoryId));
  const { assetId, referenceCount } = asset;
  const { disabledReason, ...question } = removal ?? {
    title: assetCopy.deleteTitle(filename ?? assetId),
    text: assetCopy.deleteText,
    verb: assetCopy.delete,
    action: () => run(deleteAsset, { assetId }),
    done: assetCopy.deleted,
    disabledReason: referenceCount > 0 ? assetCopy.inUse(referenceCount) : undefined,
  };
  async function remove(): Promise<void> {
    if (await confirm(question)) onClose();
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <Button
        variant="primary"
        isWrite
        icon={<Download size={15} aria-hidden />}
        disabledReason={downloadProblem(asset)}
        onClick={() => download(assetId, filename)}
      >
        {assetCopy.download}
      </Button>
      {repository?.canWrite === true && (
        <Button
          variant="danger"
          isWrite
          icon={<Trash2 size={15} aria-hidden />}
          disabledReason={disabledReason}
          onClick={() => void remove()}
        >
          {question.verb}
        </Button>
      )}
    </div>
  );
}
