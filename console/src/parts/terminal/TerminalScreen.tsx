import type { Id } from '@corral/contract';
import { Eye, SquareTerminal } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Notice } from '../../ui/layout/Notice.tsx';
import { terminalCopy as words } from './copy.ts';
import type { LinkState } from './TerminalLink.ts';
import { useTerminal } from './use-terminal.ts';

/** A terminal: who is in it, its screen, and why it ended. `actions` are shown while it is open, `afterEnd` then. */
export function TerminalScreen({
  sessionId,
  label,
  actions,
  unrecordedActions,
  afterEnd,
}: {
  sessionId: Id<'terminal'>;
  label: string;
  actions: ReactNode;
  /** While it waits because its output cannot be recorded. */
  unrecordedActions: ReactNode;
  afterEnd: ReactNode;
}) {
  const screen = useRef<HTMLDivElement>(null);
  const after = useRef<HTMLParagraphElement>(null);
  const state = useTerminal(sessionId, label, { screen, after });
  const hasEnded = state?.phase === 'ended';
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <People people={hasEnded ? [] : (state?.people ?? [])} />
        {!hasEnded && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      <Standing {...{ state, unrecordedActions, afterEnd }} />
      <div className="overflow-auto rounded-card border border-line bg-sunken p-2">
        <div ref={screen} dir="ltr" className="h-[clamp(16rem,62dvh,56rem)] min-w-0" />
      </div>
      <p ref={after} tabIndex={-1} className="text-small text-ink3">
        {words.leave}
      </p>
    </div>
  );
}

function Standing({
  state,
  unrecordedActions,
  afterEnd,
}: {
  state: LinkState | undefined;
  unrecordedActions: ReactNode;
  afterEnd: ReactNode;
}) {
  if (state?.end !== undefined) {
    const { reason, message, status } = state.end;
    return (
      <Notice title={reason === undefined ? message : words.ends[reason]} actions={afterEnd}>
        {status === undefined ? undefined : words.status(status)}
      </Notice>
    );
  }
  const text = textOf(state);
  return (
    <div role="status" className="contents">
      {text !== undefined && (
        <Notice
          tone={text.tone}
          title={text.title}
          actions={state?.held?.cause === 'Recording' ? unrecordedActions : undefined}
        />
      )}
    </div>
  );
}

function textOf(state: LinkState | undefined): { tone: 'info' | 'warn'; title: string } | undefined {
  if (state === undefined || state.phase === 'connecting') return { tone: 'info', title: words.connecting };
  if (state.phase === 'lost') return { tone: 'warn', title: words.lost };
  if (state.held !== undefined) return { tone: 'warn', title: state.held.reason };
  if (state.hasGap) return { tone: 'warn', title: words.gap };
  return state.role === 'Watches' ? { tone: 'info', title: words.watches } : undefined;
}

function People({ people }: { people: LinkState['people'] }) {
  return (
    <ul aria-label={words.people} className="flex flex-wrap gap-x-4 gap-y-1 text-body text-ink2">
      {people.map(({ name, role }, place) => (
        <li key={`${place} ${name}`} className="flex items-center gap-1.5">
          {role === 'Types' ? (
            <SquareTerminal size={15} aria-hidden className="text-ink3" />
          ) : (
            <Eye size={15} aria-hidden className="text-ink3" />
          )}
          <bdi className="font-head text-ink">{name}</bdi> {words.roles[role]}
        </li>
      ))}
    </ul>
  );
}
