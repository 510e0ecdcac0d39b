import { type RefObject, useEffect, useRef } from 'react';

/** An action that a mounted page offers; the palette lists it. */
export interface PageAction {
  readonly label: string;
  /** The button or link that does it. */
  readonly element: RefObject<HTMLElement | null>;
  /** Creates what the page lists: the key `c` and the hash `#create` run it. */
  readonly isCreate: boolean;
}

let actions: readonly PageAction[] = [];
const listeners = new Set<() => void>();

/** Registers an action while the component is mounted and `isOffered`; returns the ref of the button or link that does it. */
export function usePageAction<Element extends HTMLElement = HTMLButtonElement>(
  label: string,
  { isCreate = false, isOffered = true }: { isCreate?: boolean; isOffered?: boolean } = {},
): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => {
    if (!isOffered) return;
    const action = { label, element, isCreate };
    change([...actions, action]);
    return () => change(actions.filter((one) => one !== action));
  }, [label, isCreate, isOffered]);
  return element;
}

/** The actions of the mounted page, each label once. */
export function pageActions(): readonly PageAction[] {
  return actions.filter(({ label }, index) => actions.findIndex((one) => one.label === label) === index);
}

/** The action that creates what the page lists, if it has one. */
export function createAction(): PageAction | undefined {
  return actions.find(({ isCreate }) => isCreate);
}

/** Runs an action, as if its button were pressed. */
export function runPageAction({ element }: PageAction): void {
  element.current?.click();
}

/** Calls the listener when an action is registered or removed. Returns a function that unsubscribes. */
export function subscribeToPageActions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: readonly PageAction[]): void {
  actions = next;
  for (const listener of listeners) listener();
}
