import { createContext, useContext, useEffect, useEffectEvent, useRef, useState } from 'react';

/** Typed values of a dialog by field. */
export type DraftValues = Readonly<Record<string, string | boolean>>;

type Drafts = Map<string, DraftValues>;

/** What was typed into dialogs and neither submitted nor given up, by the name of the dialog. Provided by the shell. */
export const DraftsContext = createContext<Drafts | undefined>(undefined);

/** The drafts of a user; another one gets none of them. */
export function useDraftsOf(userId: string): Drafts {
  const [own, setOwn] = useState(() => ({ userId, drafts: new Map() as Drafts }));
  if (own.userId !== userId) setOwn({ userId, drafts: new Map() });
  return own.drafts;
}

/** What is kept of a dialog while it is closed. */
export interface Draft {
  readonly values: DraftValues | undefined;
  /** Keeps these values; undefined leaves the draft as it is, and none at all removes it. */
  readonly keep: (values: DraftValues | undefined) => void;
  /** Removes the draft; to be called after Cancel or a submit, before the dialog closes. */
  readonly end: () => void;
  /** Whether the dialog was closed without `end`. */
  readonly isLeft: () => boolean;
  readonly onOpen: () => void;
  readonly onClose: (typed: () => DraftValues | undefined) => void;
}

/** The draft of the dialog of a name; a dialog without a name has none. */
export function useDraft(name: string | undefined): Draft {
  const drafts = useContext(DraftsContext);
  const state = useRef<'open' | 'left' | 'ended'>('open');
  function keep(values: DraftValues | undefined): void {
    if (name === undefined || values === undefined) return;
    if (Object.keys(values).length === 0) drafts?.delete(name);
    else drafts?.set(name, values);
  }
  return {
    values: name === undefined ? undefined : drafts?.get(name),
    keep,
    end() {
      state.current = 'ended';
      keep({});
    },
    isLeft: () => state.current === 'left',
    onOpen: () => void (state.current = 'open'),
    onClose(typed) {
      if (state.current === 'ended') return;
      state.current = 'left';
      keep(typed());
    },
  };
}

/** Keeps what was `typed()` into a dialog as its draft when it is closed without `end`, or its page is left. */
export function useDraftOnClosing(
  { onOpen, onClose }: Draft,
  isOpen: boolean,
  typed: () => DraftValues | undefined,
): void {
  const open = useEffectEvent(onOpen);
  const close = useEffectEvent(() => onClose(typed));
  useEffect(() => {
    if (!isOpen) return undefined;
    open();
    return () => close();
  }, [isOpen]);
}
