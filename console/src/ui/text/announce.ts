let region: HTMLElement | undefined;

/** Makes the region for announcements; screen readers may miss the first message of one that is made with it. */
export function prepareAnnouncements(): void {
  region ??= createRegion();
}

/** Announces `message` to screen readers, politely, without moving the focus or showing anything. */
export function announce(message: string): void {
  region ??= createRegion();
  if (!region.isConnected) document.body.append(region);
  // Screen readers repeat the same message only if the text differs.
  region.textContent = region.textContent === message ? `${message}\u00a0` : message;
}

function createRegion(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'sr-only';
  element.setAttribute('role', 'status');
  element.setAttribute('aria-live', 'polite');
  document.body.append(element);
  return element;
}
