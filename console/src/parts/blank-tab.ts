import { messageOf } from '../ui/form/message-of.ts';
import { showToast } from '../ui/overlay/toast.ts';

/** A tab that was opened and leads nowhere yet. */
interface BlankTab {
  navigate(url: string): void;
  close(): void;
}

/** Opens a blank tab without access to this page (no opener); undefined when the browser blocked it. Call it synchronously in the click handler. */
export function openBlankTab(): BlankTab | undefined {
  const tab = window.open('about:blank', '_blank');
  if (tab === null) return undefined;
  tab.opener = null;
  return { navigate: (url) => tab.location.replace(url), close: () => tab.close() };
}

/**
 * Opens a new tab at the URL that `issue` resolves to. Call it synchronously in the click handler: browsers block the tab later. When the
 * browser blocked it, a toast offers the URL; when `issue` fails, one says why.
 */
export async function openIssuedUrl(
  issue: () => Promise<string>,
  words: { readonly failed: string; readonly blocked: string; readonly open: string },
): Promise<void> {
  const tab = openBlankTab();
  try {
    const url = await issue();
    if (tab !== undefined) return tab.navigate(url);
    const onClick = (): void => void window.open(url, '_blank', 'noopener');
    showToast(words.blocked, { action: { label: words.open, onClick }, durationMs: 0 });
  } catch (error) {
    tab?.close();
    showToast(words.failed, { tone: 'danger', text: messageOf(error) });
  }
}
