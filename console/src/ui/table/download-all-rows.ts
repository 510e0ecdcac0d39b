import { tableCopy } from './copy.ts';
import { uiCopy } from '../copy.ts';
import { messageOf } from '../form/message-of.ts';
import { showToast } from '../overlay/toast.ts';
import type { ReadAllRows } from './data-table.ts';

let downloads = 0;

/**
 * Reads all rows of a list and passes them to `download`, which returns how many it has written. A toast shows how many were read,
 * with a button that cancels, and then the result: that there are more rows than were read, or why there is no file.
 */
export async function downloadAllRows<Row>(
  fileName: string,
  readAllRows: ReadAllRows<Row>,
  download: (rows: readonly Row[]) => number,
): Promise<void> {
  const words = tableCopy.download;
  const id = `csv-${(downloads += 1)}`;
  const abort = new AbortController();
  const { signal } = abort;
  const cancel = { label: uiCopy.dialog.cancel, onClick: () => abort.abort() };
  function onRead(count: number): void {
    showToast(words.reading(fileName), { id, text: words.read(count), action: cancel, durationMs: 0 });
  }
  onRead(0);
  try {
    // Not even the answer to the last request is waited for after a cancellation.
    const { rows, isCut } = await Promise.race([readAllRows({ signal, onRead }), rejectionOn(signal)]);
    const written = download(rows);
    if (isCut) showToast(words.cut(written), { id, text: words.cutText(rows.length), durationMs: 0 });
    else showToast(words.done(written), { id, tone: 'ok' });
  } catch (error) {
    if (signal.aborted) return;
    const retry = () => void downloadAllRows(fileName, readAllRows, download);
    showToast(words.failed(fileName), {
      id,
      tone: 'danger',
      text: messageOf(error),
      action: { label: uiCopy.toast.retry, onClick: retry },
    });
  }
}

function rejectionOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
