import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Drawer } from '../../ui/overlay/Drawer.tsx';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import type { Asset } from './asset-state.ts';
import { AssetActions, type FileRemoval } from './AssetActions.tsx';
import { AssetDetails } from './AssetDetails.tsx';
import { assetCopy } from './copy.ts';
import { assetQuery } from './queries.ts';

/** What a drawer is about: an asset, and the file as which it was opened. */
export interface OpenedAsset {
  readonly assetId: Id<'asset'>;
  readonly filename?: string | undefined;
}

/** The details of an asset: its status, what the store said, which files refer to it; download and delete. Closed without `opened`. */
export function AssetDrawer({
  repositoryId,
  opened,
  removal,
  onClose,
}: {
  repositoryId: Id<'repository'>;
  opened: OpenedAsset | undefined;
  /** How the file is removed from where it was opened, in place of the deletion of the asset. */
  removal?: ((asset: Asset) => FileRemoval) | undefined;
  onClose: () => void;
}) {
  const shown = useLast(opened);
  const { data, error, refetch } = useQuery({
    ...assetQuery(shown?.assetId as Id<'asset'>),
    enabled: shown !== undefined,
  });
  const asset = data?.assetId === shown?.assetId ? data : undefined;
  return (
    <Drawer
      open={opened !== undefined}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={<span dir="auto">{shown?.filename ?? assetCopy.title}</span>}
      footer={
        asset && (
          <AssetActions
            {...{ repositoryId, asset, onClose }}
            filename={shown?.filename}
            removal={removal?.(asset)}
          />
        )
      }
    >
      <ErrorBoundary error={asset === undefined ? error : undefined} onRetry={() => void refetch()}>
        {asset === undefined ? (
          <p role="status" className="text-body text-ink3">
            {assetCopy.loading}
          </p>
        ) : (
          <AssetDetails {...{ repositoryId, asset }} filename={shown?.filename} />
        )}
      </ErrorBoundary>
    </Drawer>
  );
}

// Keeps the asset while the drawer's closing animation runs.
function useLast(opened: OpenedAsset | undefined): OpenedAsset | undefined {
  const [last, setLast] = useState(opened);
  const isOther = opened?.assetId !== last?.assetId || opened?.filename !== last?.filename;
  if (opened !== undefined && isOther) setLast(opened);
  return opened ?? last;
}
