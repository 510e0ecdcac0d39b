import { ActionError } from '@corral/contract';
import type { Id } from '@corral/contract';
import { type RefObject, useEffect, useState } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { useLazyModule } from '../use-lazy-module.ts';
import { terminalCopy as words } from './copy.ts';
import { takeTicket } from './pending-tickets.ts';
import { type LinkState, TerminalLink } from './TerminalLink.ts';
import { joinTerminal } from './terminals.ts';

const loadXterm = () => import('./xterm.ts');

/** Shows a terminal in an element and keeps this tab in it; undefined while it is loaded. */
export function useTerminal(
  sessionId: Id<'terminal'>,
  label: string,
  { screen, after }: { screen: RefObject<HTMLElement | null>; after: RefObject<HTMLElement | null> },
): LinkState | undefined {
  const xterm = useLazyModule(loadXterm, true);
  const run = useRun();
  const [state, setState] = useState<LinkState>();
  useEffect(() => {
    const parent = screen.current;
    if (xterm === undefined || parent === null) return;
    const shown = xterm.openScreen(parent, {
      label,
      onInput: (bytes) => link.type(bytes),
      onResize: (size) => link.resize(size),
      onLeave: () => after.current?.focus(),
    });
    const link = new TerminalLink({
      sessionId,
      join: () => run(joinTerminal, { sessionId }),
      isTemporary: (error) => !(error instanceof ActionError) || error.kind === 'RateLimited',
      onRestart: () => shown.reset(),
      onOutput: (bytes, drawn) => shown.write(bytes, drawn),
      onSize: (size) => shown.resize(size),
      onChange(next) {
        setState(next);
        if (next.phase === 'open') shown.focus();
      },
      messageOf,
      lost: words.gone,
    });
    link.resize(shown.size);
    void link.connect(takeTicket(sessionId));
    return () => {
      link.close();
      shown.dispose();
    };
  }, [xterm, sessionId, label, run, screen, after]);
  return state;
}
