import { type Id, maxCertificatesAtOnce } from '@corral/contract';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import {
  KeyRound,
  PackagePlus,
  PenLine,
  ShieldQuestion,
  SquareTerminal,
  Tag,
  TagX,
  Trash2,
} from 'lucide-react';
import { useCallback } from 'react';
import { terms } from '../../copy/terms.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';
import type { RowAction } from '../../ui/table/columns.tsx';
import type { SelectedDevices } from './changes/changes.ts';
import type { PlainChange } from './changes/PlainChangeDialog.tsx';
import { devicesCopy } from './copy.ts';
import { labelsCopy } from './labels/copy.ts';
import type { LabelTask } from './labels/LabelDialog.tsx';
import { rotationCopy } from './rotation/copy.ts';

const words = devicesCopy.bulk;

/** The dialogs that bulk actions open. */
interface BulkDialogs {
  readonly rename: (devices: SelectedDevices) => void;
  readonly label: (task: LabelTask) => void;
  readonly review: (devices: readonly ListedDevice[]) => void;
  readonly change: (change: PlainChange) => void;
  readonly rotate: (devices: SelectedDevices) => void;
}

/** The actions on selected devices, or on all that a filter finds: run a command, install a version, rename, set and remove labels, accept their certificates, rotate them, delete. */
export function useBulkActions(
  projectId: Id<'project'>,
  query: string,
  { rename, label, review, change, rotate }: BulkDialogs,
): (devices: readonly ListedDevice[], isAllMatching: boolean) => readonly RowAction[] {
  const navigate = useNavigate();
  return useCallback(
    (shown, isAllMatching) => {
      const deviceIds = shown.map(({ deviceId }) => deviceId);
      const devices: SelectedDevices = isAllMatching ? { query } : { deviceIds };
      const pending = shown.filter(({ pendingCertificatesCount }) => pendingCertificatesCount > 0);
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
        { label: words.rename, icon: <PenLine aria-hidden />, onSelect: () => rename(devices) },
        {
          label: labelsCopy.set,
          icon: <Tag aria-hidden />,
          onSelect: () => label({ kind: 'set', devices, shown }),
        },
        {
          label: labelsCopy.remove,
          icon: <TagX aria-hidden />,
          onSelect: () => label({ kind: 'remove', devices, shown }),
        },
        isAllMatching || pending.length > maxCertificatesAtOnce
          ? {
              label: words.accept,
              icon: <ShieldQuestion aria-hidden />,
              onSelect: () => change({ kind: 'Accept', devices }),
            }
          : {
              label: words.review,
              icon: <ShieldQuestion aria-hidden />,
              onSelect: () => review(pending),
              disabledReason: pending.length === 0 ? words.reviewNone : undefined,
            },
        { label: rotationCopy.rotateMany, icon: <KeyRound aria-hidden />, onSelect: () => rotate(devices) },
        {
          label: terms.delete,
          icon: <Trash2 aria-hidden />,
          tone: 'danger',
          onSelect: () => change({ kind: 'Delete', devices }),
        },
      ];
    },
    [projectId, query, navigate, rename, label, review, change, rotate],
  );
}

/** The page of a new operation on these devices. */
function newOperation(
  projectId: Id<'project'>,
  kind: 'run' | 'install',
  { query, deviceIds }: SelectedDevices,
): NavigateOptions {
  return {
    to: '/projects/$projectId/operations/new',
    params: { projectId },
    search: { kind, ...(query === undefined ? {} : { q: query }) },
    ...(deviceIds === undefined ? {} : { state: { deviceIds } }),
  } as NavigateOptions;
}
