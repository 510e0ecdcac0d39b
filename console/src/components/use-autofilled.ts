import { type RefObject, useEffect, useState } from 'react';

const askEveryMs = 250;

/**
 * Whether the browser has filled all text inputs of a form by itself. It says so only by a pseudo-class, and hides the values
 * until the user has touched the page, so this asks now and then until it is so.
 */
export function useAutofilled(form: RefObject<HTMLFormElement | null>): boolean {
  const [isAutofilled, setIsAutofilled] = useState(false);
  useEffect(() => {
    if (isAutofilled || !knowsAutofill()) return undefined;
    const timer = window.setInterval(() => {
      const inputs = [...(form.current?.querySelectorAll('input[type=email], input[type=password]') ?? [])];
      if (inputs.length > 0 && inputs.every((input) => input.matches(':autofill'))) setIsAutofilled(true);
    }, askEveryMs);
    return () => window.clearInterval(timer);
  }, [form, isAutofilled]);
  return isAutofilled;
}

function knowsAutofill(): boolean {
  return typeof CSS !== 'undefined' && CSS.supports('selector(:autofill)');
}
