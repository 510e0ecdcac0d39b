/** Time for other code to move the focus first: a closing dialog restores it, a new page takes it. */
const settleMs = 120;
const headings = 'h1, h2, h3';

/** Moves the focus of a removed element to the heading of the nearest section that still exists; returns a function that stops this. */
export function keepFocus(): () => void {
  // From the focused element outwards. The last path inside the page is kept apart: a dialog is removed as a whole.
  let path: readonly Element[] = [];
  let pathOnPage: readonly Element[] = [];
  let timer: number | undefined;

  function remember({ target }: FocusEvent): void {
    if (!(target instanceof Element)) return;
    path = pathOf(target);
    if (target.closest('#content') !== null) pathOnPage = path;
  }
  function check(): void {
    const isLost = document.activeElement === document.body && path[0]?.isConnected === false;
    if (!isLost || timer !== undefined) return;
    timer = window.setTimeout(() => {
      timer = undefined;
      if (document.activeElement === document.body && path[0]?.isConnected === false)
        focusNearestHeading([...path, ...pathOnPage]);
    }, settleMs);
  }
  const observer = new MutationObserver(check);
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

function focusNearestHeading(path: readonly Element[]): void {
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
