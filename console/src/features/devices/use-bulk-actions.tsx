import { type Id, maxCertificatesAtOnce } from '@corral/contract';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { PackagePlus, PenLine, ShieldQuestion, SquareTerminal, Tag, TagX } from 'lucide-react';
import { useCallback } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { tooMany } from '../../parts/bulk-action.tsx';
import { deleteRow, deleteRows } from '../../parts/deletion.tsx';
import type { ListedDevice } from '../../parts/listed-device.ts';
import type { RowAction } from '../../ui/table/columns.tsx';
import { devicesCopy } from './copy.ts';
import { deletion } from './device-deletion.ts';
import { labelsCopy } from './labels/copy.ts';
import type { LabelTask } from './labels/LabelDialog.tsx';

const words = devicesCopy.bulk;

/** How many devices are renamed in one dialog. */
const maxRenamed = 100;

/** The dialogs that bulk actions open. */
interface BulkDialogs {
  readonly rename: (devices: readonly ListedDevice[]) => void;
  readonly label: (task: LabelTask) => void;
  readonly review: (devices: readonly ListedDevice[]) => void;
}

/** The actions on selected devices: run a command, install a version, rename, set and remove labels, review their certificates, delete. */
export function useBulkActions(
  projectId: Id<'project'>,
  { rename, label, review }: BulkDialogs,
): (devices: readonly ListedDevice[]) => readonly RowAction[] {
  const run = useRun();
  const navigate = useNavigate();
  return useCallback(
    (devices) => {
      const [only] = devices;
      const pending = devices.filter(({ pendingCertificatesCount }) => pendingCertificatesCount > 0);
      const begin = (kind: 'run' | 'install') => () => void navigate(newOperation(projectId, kind, devices));
      return [
        {
          label: words.run,
          icon: <SquareTerminal aria-hidden />,
          isNavigation: true,
          onSelect: begin('run'),
        },
        {
          label: words.install,
          icon: <PackagePlus aria-hidden />,
          isNavigation: true,
          onSelect: begin('install'),
        },
        {
          label: words.rename,
          icon: <PenLine aria-hidden />,
          onSelect: () => rename(devices),
          disabledReason: devices.length > maxRenamed ? words.renameTooMany(maxRenamed) : undefined,
        },
        {
          label: labelsCopy.set,
          icon: <Tag aria-hidden />,
          onSelect: () => label({ kind: 'set', devices }),
          disabledReason: tooMany(devices),
        },
        {
          label: labelsCopy.remove,
          icon: <TagX aria-hidden />,
          onSelect: () => label({ kind: 'remove', devices }),
          disabledReason: tooMany(devices),
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
        only !== undefined && devices.length === 1
          ? deleteRow(run, deletion, only)
          : deleteRows(run, deletion, devices),
      ];
    },
    [projectId, navigate, rename, label, review, run],
  );
}

/** The page of a new operation on these devices. */
function newOperation(
  projectId: Id<'project'>,
  kind: 'run' | 'install',
  devices: readonly ListedDevice[],
): NavigateOptions {
  return {
    to: '/projects/$projectId/operations/new',
    params: { projectId },
    search: { kind },
    state: { deviceIds: devices.map(({ deviceId }) => deviceId) },
  } as NavigateOptions;
}
