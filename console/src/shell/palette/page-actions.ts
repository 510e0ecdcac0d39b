/** A button of the current page, with its label. */
export type PageAction = { label: string; element: HTMLElement };

/** The actions of the current page: the enabled buttons in its header, except those that open a menu. */
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

/** The "create" button of the current page, if it has one. */
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

// The text without hidden parts, such as the reason why the button is disabled.
function nameOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const part of copy.querySelectorAll('[hidden], svg')) part.remove();
  return element.getAttribute('aria-label') ?? copy.textContent?.trim() ?? '';
}
