import { type FormEvent, type RefObject, useEffect, useState } from 'react';
import { adoptAutofill } from '../../parts/adopt-autofill.ts';

const pollMs = 250;

/**
 * What the browser fills in of the inputs of a form with these names. `isAutofilled` is true while it has filled in all of them, until one
 * changes; `adopt` copies their values into the state of the form. `onInput` is for the form: what its fields contain counts from then on.
 */
export function useAutofill<Name extends string>(
  form: RefObject<HTMLFormElement | null>,
  names: readonly Name[],
  setValue: (name: Name, value: string) => void,
) {
  const [isAutofilled, setIsAutofilled] = useState(false);
  useEffect(() => {
    if (isAutofilled || !supportsAutofill()) return undefined;
    // Browsers expose an autofill only as a pseudo-class, without an event.
    const timer = window.setInterval(() => {
      const inputs = names.map((name) => form.current?.elements.namedItem(name));
      if (inputs.every((input) => input instanceof HTMLInputElement && input.matches(':autofill')))
        setIsAutofilled(true);
    }, pollMs);
    return () => window.clearInterval(timer);
  }, [form, names, isAutofilled]);

  function adopt(): void {
    if (form.current !== null) adoptAutofill(form.current, names, setValue);
  }

  function onInput({ target, currentTarget }: FormEvent<HTMLFormElement>): void {
    const name = names.find((one) => currentTarget.elements.namedItem(one) === target);
    if (name === undefined) return;
    // Browsers hide the values until the first interaction, which this is.
    if (isAutofilled) adopt();
    setIsAutofilled(false);
    // React does not report that a field was emptied which the browser had filled in: to React it never had a text.
    setValue(name, (target as HTMLInputElement).value);
  }

  return { isAutofilled, adopt, onInput };
}

function supportsAutofill(): boolean {
  return typeof CSS !== 'undefined' && CSS.supports('selector(:autofill)');
}
