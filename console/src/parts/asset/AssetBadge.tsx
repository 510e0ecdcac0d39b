import { Check, Clock, FileQuestionMark, FileWarning, FileX, Trash2, TriangleAlert } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/badge/Badge.tsx';
import { type Asset, isUploadFailed } from './asset-state.ts';
import { assetCopy } from './copy.ts';

const statuses = {
  Dangling: ['warn', Clock],
  Available: ['ok', Check],
  Deleting: ['mute', Trash2],
} as const satisfies Record<Asset['status'], readonly [BadgeTone, unknown]>;

const damages = {
  Missing: ['danger', FileQuestionMark],
  Mismatched: ['danger', FileWarning],
  Error: ['warn', TriangleAlert],
} as const;

/** The status of an asset: whether its bytes are there, and if the store says otherwise, what it says. */
export function AssetBadge({ asset }: { asset: Pick<Asset, 'status' | 'storage'> }) {
  const { status, storage } = asset;
  if (isUploadFailed(asset))
    return (
      <Badge tone="danger" icon={<FileX size={13} aria-hidden />}>
        {assetCopy.uploadFailed}
      </Badge>
    );
  const stored = storage?.status;
  const isDamaged =
    (stored === 'Mismatched' || stored === 'Error' || (stored === 'Missing' && status === 'Available')) &&
    status !== 'Deleting';
  const [tone, Icon] = isDamaged ? damages[stored] : statuses[status];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {isDamaged ? assetCopy.storage[stored] : assetCopy.statuses[status]}
    </Badge>
  );
}
