/**
 * Copies autofilled values of a form's text inputs into its state: browsers expose them only after the first user interaction, and
 * without an event.
 */
export function adoptAutofill<Name extends string>(
  form: HTMLFormElement,
  names: readonly Name[],
  setValue: (name: Name, value: string) => void,
): void {
  const values = new FormData(form);
  for (const name of names) {
    const value = values.get(name);
    if (typeof value === 'string' && value !== '') setValue(name, value);
  }
}
