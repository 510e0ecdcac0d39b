/** Copies autofilled values into the state of a form: browsers expose them late and without an event. */
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
