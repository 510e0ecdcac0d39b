import { type RefObject, useEffect, useState } from 'react';

const pollMs = 250;

/**
 * Whether the browser has autofilled all text inputs of a form. Browsers expose that only as a pseudo-class and hide the values until
 * the first user interaction, so this polls until it is true.
 */
export function useAutofilled(form: RefObject<HTMLFormElement | null>): boolean {
  const [isAutofilled, setIsAutofilled] = useState(false);
  useEffect(() => {
    if (isAutofilled || !supportsAutofill()) return undefined;
    const timer = window.setInterval(() => {
      const inputs = [...(form.current?.querySelectorAll('input[type=email], input[type=password]') ?? [])];
      if (inputs.length > 0 && inputs.every((input) => input.matches(':autofill'))) setIsAutofilled(true);
    }, pollMs);
    return () => window.clearInterval(timer);
  }, [form, isAutofilled]);
  return isAutofilled;
}

function supportsAutofill(): boolean {
  return typeof CSS !== 'undefined' && CSS.supports('selector(:autofill)');
}
