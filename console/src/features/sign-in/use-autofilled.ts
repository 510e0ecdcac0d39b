import { type RefObject, useCallback, useEffect, useState } from 'react';

const pollMs = 250;

/**
 * Whether the browser has autofilled all inputs of a form with these names, and a function to call when one of them changes: what they
 * contain then counts. Browsers expose an autofill only as a pseudo-class and hide the values until the first user interaction, so this polls.
 */
export function useAutofilled(
  form: RefObject<HTMLFormElement | null>,
  names: readonly string[],
): [boolean, () => void] {
  const [isAutofilled, setIsAutofilled] = useState(false);
  useEffect(() => {
    if (isAutofilled || !supportsAutofill()) return undefined;
    const timer = window.setInterval(() => {
      const inputs = names.map((name) => form.current?.elements.namedItem(name));
      if (inputs.every((input) => input instanceof HTMLInputElement && input.matches(':autofill')))
        setIsAutofilled(true);
    }, pollMs);
    return () => window.clearInterval(timer);
  }, [form, names, isAutofilled]);
  return [isAutofilled, useCallback(() => setIsAutofilled(false), [])];
}

function supportsAutofill(): boolean {
  return typeof CSS !== 'undefined' && CSS.supports('selector(:autofill)');
}
