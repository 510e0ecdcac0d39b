import { useCallback } from 'react';
import { messageOf } from '../../../ui/form/message-of.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
import { packagesCopy } from '../copy.ts';
import type { PackageParams } from '../package/version-columns.tsx';
import type { WantedTag } from './tag-change.ts';
import { useSetTag } from './use-set-tag.tsx';

/** As `useSetTag`, where no dialog is open that could show why nothing can change: a toast does. */
export function useProposeTag(params: PackageParams): (wanted: WantedTag) => Promise<void> {
  const setTag = useSetTag(params);
  return useCallback(
    (wanted) =>
      setTag(wanted).catch((error: unknown) => {
        showToast(packagesCopy.setTag.failed(wanted.tag), { tone: 'danger', text: messageOf(error) });
      }),
    [setTag],
  );
}
