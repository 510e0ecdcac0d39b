import { enShell } from './copy/en-shell.ts';
import { en } from './copy/en.ts';
import { showToast } from './ui/overlay/toast.ts';

const mark = 'corral.reloaded-at';
const quietMs = 60_000;

/** What `reloadOnceForMissingChunks` does to the page; the browser's own, unless told. */
export interface ReloadPage {
  reload(): void;
  /** Whether the hub answers, so that a reload shows the console and not the browser's own error page. */
  isHubThere(): Promise<boolean>;
}

const thisPage: ReloadPage = {
  reload: () => window.location.reload(),
  isHubThere: () =>
    fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ),
};

/**
 * After the hub was upgraded, an open page asks for chunks that are gone. Reloads once; when that did not help within the
 * last minute, offers the reload instead of doing it, so that a broken server does not make a loop. While the hub cannot be
 * reached nothing is reloaded: what needed the chunk says so and can be retried, and the rest of the page stays.
 */
export function reloadOnceForMissingChunks(page: ReloadPage = thisPage): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // In these words the router, too, does not take it for a reason to reload.
    payload.message = enShell.pageNotLoaded;
    void page.isHubThere().then((isThere) => {
      if (isThere) reloadOrOffer(page);
    });
  });
}

function reloadOrOffer(page: ReloadPage): void {
  const last = Number(sessionStorage.getItem(mark) ?? 0);
  if (Date.now() - last > quietMs) {
    sessionStorage.setItem(mark, String(Date.now()));
    page.reload();
    return;
  }
  showToast(en.error.updated, {
    text: en.error.updatedText,
    durationMs: 0,
    action: { label: en.error.reload, onClick: page.reload },
  });
}
