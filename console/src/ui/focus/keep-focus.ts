/** Time for whoever took the element away to say where the focus goes: a dialog gives it back, a new page takes it. */
const settleMs = 120;
const headings = 'h1, h2, h3';

/**
 * Keeps the focus on the page when what had it is taken away, such as the button of a row that was deleted: it goes to the
 * heading of the nearest part that is still there, so that nobody has to begin again at the top. Returns the way to stop.
 */
export function keepFocus(): () => void {
  // Inner before outer; of the page apart, because a dialog goes with all that is in it.
  let path: readonly Element[] = [];
  let pathOnPage: readonly Element[] = [];
  let timer: number | undefined;

  function remember({ target }: FocusEvent): void {
    if (!(target instanceof Element)) return;
    path = pathOf(target);
    if (target.closest('#content') !== null) pathOnPage = path;
  }
  function look(): void {
    const isLost = document.activeElement === document.body && path[0]?.isConnected === false;
    if (!isLost || timer !== undefined) return;
    timer = window.setTimeout(() => {
      timer = undefined;
      if (document.activeElement === document.body && path[0]?.isConnected === false)
        land([...path, ...pathOnPage]);
    }, settleMs);
  }
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', remember);
  return () => {
    window.clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', remember);
  };
}

function pathOf(element: Element): Element[] {
  const path = [element];
  for (let next = element.parentElement; next !== null && next !== document.body; next = next.parentElement)
    path.push(next);
  return path;
}

function land(path: readonly Element[]): void {
  const heading = path
    .filter((element) => element.isConnected && !element.matches('header, #app'))
    .map((element) => element.querySelector<HTMLElement>(headings))
    .find((found) => found !== null);
  const target = heading ?? document.querySelector<HTMLElement>('main h1');
  if (target === null) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView?.({ block: 'nearest' });
}
