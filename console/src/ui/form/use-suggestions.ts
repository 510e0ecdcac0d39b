import {
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** What may stand in a text instead of a piece of it. */
export type Suggestion = { text: string; label: string; hint?: string | undefined };

/** The suggestions that replace the text between two positions. Unless `isEager`, they show only on request. */
export type Suggestions = { start: number; end: number; isEager: boolean; items: readonly Suggestion[] };

/** The suggestions for a text at a caret. */
export type Suggest = (text: string, caret: number) => Suggestions | undefined;

type State = { caret: number; opened: 'no' | 'typing' | 'asked'; active: number };

const none: readonly Suggestion[] = [];

/**
 * The list of suggestions of a text input: it opens while the user types, or on the Down key; Enter and Tab insert the suggestion that was
 * selected by the arrow keys, and Escape closes the list. Nothing else changes the typed text. Spread `input` on the input.
 */
export function useSuggestions({
  inputRef,
  value,
  onValueChange,
  suggest,
}: {
  inputRef: RefObject<HTMLInputElement | null>;
  value: string;
  onValueChange: (value: string) => void;
  suggest: Suggest;
}) {
  const [{ caret, opened, active }, setState] = useState<State>({ caret: 0, opened: 'no', active: -1 });
  const moveCaretTo = useCaret(inputRef, value);
  const offered = opened === 'no' ? undefined : suggest(value, Math.min(caret, value.length));
  const items = offered !== undefined && (offered.isEager || opened === 'asked') ? offered.items : none;
  const at = Math.min(active, items.length - 1);
  const close = () => setState({ caret, opened: 'no', active: -1 });
  const setActive = (index: number) => setState({ caret, opened, active: index });
  function accept({ text }: Suggestion): void {
    if (offered === undefined) return;
    const next = offered.start + text.length;
    onValueChange(value.slice(0, offered.start) + text + value.slice(offered.end));
    moveCaretTo(next);
    // After an operator or a dot something has to follow.
    setState({ caret: next, opened: /[:=<>.]$/u.test(text) ? 'typing' : 'no', active: -1 });
  }
  const read = ({ selectionStart, value: text }: HTMLInputElement, isOpen: boolean) =>
    setState({ caret: selectionStart ?? text.length, opened: isOpen ? 'typing' : 'no', active: -1 });
  const open = (input: HTMLInputElement) => {
    const position = input.selectionStart ?? value.length;
    if ((suggest(value, position)?.items.length ?? 0) === 0) return false;
    setState({ caret: position, opened: 'asked', active: 0 });
    return true;
  };
  const input = {
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      read(event.currentTarget, !(event.nativeEvent as InputEvent).isComposing),
    onCompositionEnd: ({ currentTarget }: { currentTarget: HTMLInputElement }) => read(currentTarget, true),
    onSelect: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      if (currentTarget.selectionStart !== caret) read(currentTarget, false);
    },
    onBlur: close,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (handleKey(event, { items, active: at, setActive, accept, close, open })) event.preventDefault();
    },
  };
  return { items, active: at, setActive, accept, input };
}

/** Sets the caret after the inserted text was rendered. */
function useCaret(inputRef: RefObject<HTMLInputElement | null>, value: string): (position: number) => void {
  const wanted = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (wanted.current !== undefined) inputRef.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = undefined;
  }, [inputRef, value]);
  return (position) => {
    wanted.current = position;
  };
}

type KeyTarget = {
  items: readonly Suggestion[];
  active: number;
  setActive: (index: number) => void;
  accept: (item: Suggestion) => void;
  close: () => void;
  open: (input: HTMLInputElement) => boolean;
};

/** Handles a key; returns whether the list used it. */
function handleKey(event: KeyboardEvent<HTMLInputElement>, list: KeyTarget): boolean {
  const { items, active, setActive, accept, close, open } = list;
  const { key, nativeEvent, shiftKey, currentTarget } = event;
  if (nativeEvent.isComposing || event.ctrlKey || event.metaKey) return false;
  if (items.length === 0) return key === 'ArrowDown' && !shiftKey && open(currentTarget);
  const item = items[active];
  if (key === 'ArrowDown') setActive((active + 1) % items.length);
  else if (key === 'ArrowUp') setActive(active > 0 ? active - 1 : items.length - 1);
  else if (key === 'Escape') close();
  else if ((key === 'Enter' || (key === 'Tab' && !shiftKey)) && item !== undefined) accept(item);
  else {
    if (key === 'Enter') close();
    return false;
  }
  return true;
}
