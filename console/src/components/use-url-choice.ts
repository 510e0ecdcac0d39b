import { useState } from 'react';

/** A choice that is kept in the URL: shown at once, and again what the URL says as soon as that changes. */
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
