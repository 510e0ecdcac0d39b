import { useState } from 'react';

/** A choice that is stored in the URL: shows at once, before the navigation ends; a later change of the URL overrides it. */
export function useUrlChoice<Choice extends string | undefined>(
  inUrl: Choice,
  write: (choice: Choice) => void,
): [Choice, (choice: Choice) => void] {
  const [state, setState] = useState({ inUrl, shown: inUrl });
  if (state.inUrl !== inUrl) setState({ inUrl, shown: inUrl });
  function choose(choice: Choice): void {
    setState({ inUrl, shown: choice });
    write(choice);
  }
  return [state.inUrl === inUrl ? state.shown : inUrl, choose];
}
