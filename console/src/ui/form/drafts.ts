import { createContext, useContext, useEffect, useEffectEvent, useRef, useState } from 'react';

/** Typed values of a dialog by field. */
export type DraftValues = Readonly<Record<string, string | boolean>>;

type Drafts = Map<string, object>;

/** What was typed into dialogs and pages and neither submitted nor given up, by the name of the dialog. Provided to all pages of a user. */
export const DraftsContext = createContext<Drafts | undefined>(undefined);

/** The drafts of a user; another one gets none of them. */
export function useDraftsOf(userId: string): Drafts {
  const [own, setOwn] = useState(() => ({ userId, drafts: new Map() as Drafts }));
  if (own.userId !== userId) setOwn({ userId, drafts: new Map() });
  return own.drafts;
}

/** What is kept of a dialog or page while it is closed. */
export interface Draft<Values extends object = DraftValues> {
  /** The values that are kept at present. */
  readonly read: () => Values | undefined;
  /** Keeps values of a dialog that was closed without `end`, unless newer ones are kept. */
  readonly restore: (values: Values) => void;
  /** Replaces the draft by what is left of it, by default nothing; to be called after Cancel or a submit, before the dialog closes. */
  readonly end: (left?: Values) => void;
  readonly onOpen: () => void;
  readonly onClose: (typed: () => Values) => void;
}

/** The draft of the dialog or page of a name; one without a name has none. */
export function useDraft<Values extends object = DraftValues>(name: string | undefined): Draft<Values> {
  const drafts = useContext(DraftsContext);
  const state = useRef<'open' | 'left' | 'ended'>('open');
  const read = () => (name === undefined ? undefined : (drafts?.get(name) as Values | undefined));
  function keep(values: object): void {
    if (name === undefined) return;
    if (Object.keys(values).length === 0) drafts?.delete(name);
    else drafts?.set(name, values);
  }
  return {
    read,
    restore(values) {
      if (state.current === 'left' && read() === undefined) keep(values);
    },
    end(left) {
      state.current = 'ended';
      keep(left ?? {});
    },
    onOpen: () => void (state.current = 'open'),
    onClose(typed) {
      if (state.current === 'ended') return;
      state.current = 'left';
      keep(typed());
    },
  };
}

/** Keeps what was `typed()` into a dialog as its draft when it is closed without `end`, or its page is left. Before a reload, which no draft outlives, the browser asks. */
export function useDraftOnClosing<Values extends object>(
  { onOpen, onClose }: Draft<Values>,
  isOpen: boolean,
  typed: () => Values,
): void {
  const open = useEffectEvent(onOpen);
  const close = useEffectEvent(() => onClose(typed));
  const askBefore = useEffectEvent((event: Event) => {
    if (Object.keys(typed()).length > 0) event.preventDefault();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    open();
    const ask = (event: Event) => askBefore(event);
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
      close();
    };
  }, [isOpen]);
}
