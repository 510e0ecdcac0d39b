let region: HTMLElement | undefined;

/** Says `message` to screen readers, politely, without moving focus or showing anything. */
export function announce(message: string): void {
  region ??= createRegion();
  if (!region.isConnected) document.body.append(region);
  // The same words twice in a row are only spoken again when the text changes.
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
