import { uiCopy } from '../copy.ts';
import { showToast } from '../overlay/toast.ts';
import { copyText } from './copy-text.ts';

/** Copies `value` and shows a toast with the outcome, for places whose own look does not change. */
export async function copyWithToast(value: string, what: string): Promise<void> {
  if (await copyText(value)) showToast(uiCopy.copy.copiedWhat(what), { tone: 'ok' });
  else showCopyFailure();
}

/** Shows a toast which says that copying failed. */
export function showCopyFailure(): void {
  showToast(uiCopy.copy.failed, { tone: 'danger' });
}
