/**
 * Hands over what a browser filled into the text inputs of a form by itself: it is readable only once the user has touched
 * the page, and no event has told of it.
 */
export function adoptAutofill<Name extends string>(
  form: HTMLFormElement,
  names: readonly Name[],
  setValue: (name: Name, value: string) => void,
): void {
  const typed = new FormData(form);
  for (const name of names) {
    const value = typed.get(name);
    if (typeof value === 'string' && value !== '') setValue(name, value);
  }
}
