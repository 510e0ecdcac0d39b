import { maxCertificatesAtOnce } from '@corral/contract';
import { PenLine, ShieldQuestion, Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { terms } from '../../copy/terms.ts';
import { maxBulkItems } from '../../parts/bulk-run.ts';
import { partsCopy } from '../../parts/copy.ts';
import { confirmBulk } from '../../parts/confirm-bulk.tsx';
import { deviceLabel, type ListedDevice } from '../../parts/listed-device.ts';
import type { RowAction } from '../../ui/table/columns.tsx';
import { devicesCopy } from './copy.ts';
import { deleteDevice } from './mutations.ts';
import { useDeleteDevice } from './use-delete-device.ts';

const words = devicesCopy.bulk;

/** How many devices are renamed in one dialog. */
const maxRenamed = 100;

/** The dialogs that bulk actions open. */
interface BulkDialogs {
  readonly rename: (devices: readonly ListedDevice[]) => void;
  readonly review: (devices: readonly ListedDevice[]) => void;
}

/** The actions on selected devices: rename, review their certificates, delete. */
export function useBulkActions({
  rename,
  review,
}: BulkDialogs): (devices: readonly ListedDevice[]) => readonly RowAction[] {
  const remove = useDeleteDevices();
  return useCallback(
    (devices) => {
      const pending = devices.filter(({ pendingCertificatesCount }) => pendingCertificatesCount > 0);
      return [
        {
          label: words.rename,
          icon: <PenLine aria-hidden />,
          onSelect: () => rename(devices),
          disabledReason: devices.length > maxRenamed ? words.renameTooMany(maxRenamed) : undefined,
        },
        {
          label: words.review,
          icon: <ShieldQuestion aria-hidden />,
          onSelect: () => review(pending),
          disabledReason:
            pending.length === 0
              ? words.reviewNone
              : pending.length > maxCertificatesAtOnce
                ? words.reviewTooMany(maxCertificatesAtOnce)
                : undefined,
        },
        {
          label: terms.delete,
          icon: <Trash2 aria-hidden />,
          tone: 'danger',
          onSelect: () => void remove(devices),
          disabledReason: devices.length > maxBulkItems ? partsCopy.bulk.tooMany(maxBulkItems) : undefined,
        },
      ];
    },
    [rename, review, remove],
  );
}

/** A function that deletes devices after their number was typed, or for one device its name. */
function useDeleteDevices(): (devices: readonly ListedDevice[]) => Promise<unknown> {
  const run = useRun();
  const removeOne = useDeleteDevice();
  return useCallback(
    (devices) => {
      const [only] = devices;
      if (only !== undefined && devices.length === 1) return removeOne(only);
      return confirmBulk(
        devices.map((device) => ({
          key: device.deviceId,
          name: deviceLabel(device),
          perform: () => run(deleteDevice, { deviceId: device.deviceId }),
        })),
        {
          title: words.deleteTitle(devices.length),
          text: words.deleteText,
          verb: terms.delete,
          typedName: words.deleteTyped(devices.length),
          done: words.deleted,
        },
      );
    },
    [run, removeOne],
  );
}
