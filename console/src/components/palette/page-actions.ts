/** A button of the page that shows, in words. */
export type PageAction = { label: string; element: HTMLElement };

/** What the page that shows offers to do: the buttons in its head, but not those that are disabled or for the pointer alone. */
export function pageActions(): PageAction[] {
  const buttons = document.querySelectorAll<HTMLElement>(
    '#content [data-page-actions] :is(button, a[href]), #content [aria-keyshortcuts~="c"]',
  );
  const actions = [...buttons].flatMap((element) => {
    const label = nameOf(element);
    return isUsable(element) && label !== '' ? [{ label, element }] : [];
  });
  return actions.filter(
    ({ label }, index) => actions.findIndex((action) => action.label === label) === index,
  );
}

/** The button that creates something on the page that shows, if it has one. */
export function createButton(): HTMLElement | undefined {
  const buttons = document.querySelectorAll<HTMLElement>('#content [aria-keyshortcuts~="c"]');
  return [...buttons].find(isUsable);
}

function isUsable(element: HTMLElement): boolean {
  const isDisabled = element.getAttribute('aria-disabled') === 'true' || element.matches(':disabled');
  return (
    !isDisabled && element.closest('[hidden]') === null && element.getAttribute('aria-haspopup') === null
  );
}

// The name without what is hidden from it, such as the reason why it is disabled.
function nameOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const part of copy.querySelectorAll('[hidden], svg')) part.remove();
  return element.getAttribute('aria-label') ?? copy.textContent?.trim() ?? '';
}
