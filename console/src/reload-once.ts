import { documentCopy } from './shell/document-copy.ts';
import { uiCopy } from './ui/copy.ts';
import { showToast } from './ui/overlay/toast.ts';

const storageKey = 'corral.chunk-missed-at';
const quietMs = 60_000;
/** How long after `beforeunload` the page counts as being left. It may stay, when the user chooses so or the address is a download. */
const leavingMs = 10_000;

/** The page that `reloadOnceForMissingChunks` reloads; tests replace it. */
export interface ReloadPage {
  reload(): void;
  /** Whether the hub answers, so that a reload does not end on the browser's error page. */
  isHubReachable(): Promise<boolean>;
}

const thisPage: ReloadPage = {
  reload: () => window.location.reload(),
  isHubReachable: () =>
    fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ),
};

/**
 * After an upgrade of the hub an open page requests chunks that no longer exist: reloads it once, and shows a toast with Reload if another
 * chunk was missing within a minute. Does nothing while the hub is unreachable or the page is being left.
 */
export function reloadOnceForMissingChunks(page: ReloadPage = thisPage): void {
  let leftAt = -Infinity;
  window.addEventListener('beforeunload', () => (leftAt = Date.now()));
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // With this message the router does not reload the page either.
    payload.message = documentCopy.pageNotLoaded;
    void page.isHubReachable().then((isReachable) => {
      if (isReachable && Date.now() - leftAt > leavingMs) reloadOrOffer(page);
    });
  });
}

function reloadOrOffer(page: ReloadPage): void {
  const last = Number(sessionStorage.getItem(storageKey) ?? 0);
  sessionStorage.setItem(storageKey, String(Date.now()));
  if (Date.now() - last > quietMs) {
    page.reload();
    return;
  }
  showToast(uiCopy.error.updated, {
    id: 'missing-chunk',
    text: uiCopy.error.updatedText,
    durationMs: 0,
    action: { label: uiCopy.error.reload, onClick: page.reload },
  });
}
