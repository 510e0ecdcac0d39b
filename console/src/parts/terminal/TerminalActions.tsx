import type { Id } from '@corral/contract';
import { CircleStop } from 'lucide-react';
import { useState } from 'react';
import { nonEmpty, object, pipe, string, trim } from 'valibot';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { Button } from '../../ui/action/Button.tsx';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { confirm } from '../confirm.ts';
import { terminalCopy as words } from './copy.ts';
import { approveTerminal, endTerminal, type Terminal, waiveRecording } from './terminals.ts';

/** Asks whether a terminal shall end, and ends it. */
export const askToEnd = (run: Run, sessionId: Id<'terminal'>): Promise<boolean> =>
  confirm({
    title: words.endTitle,
    text: words.endText,
    verb: words.end,
    action: () => run(endTerminal, { sessionId }),
    done: words.ended,
  });

/** Asks whether a terminal is approved, and says so. */
export const askToApprove = (
  run: Run,
  { sessionId, deviceName, deviceId, reason }: Terminal,
  who: string,
): Promise<boolean> =>
  confirm({
    title: words.approveTitle,
    text: (
      <>
        <p>{words.approveText(who, deviceName ?? deviceId)}</p>
        {reason !== undefined && <p className="mt-2 wrap-anywhere">{reason}</p>}
      </>
    ),
    verb: words.approve,
    tone: 'primary',
    action: () => run(approveTerminal, { sessionId, isApproved: true }),
    done: words.approved,
  });

/** Asks whether a terminal is refused, and says so. */
export const askToRefuse = (run: Run, sessionId: Id<'terminal'>): Promise<boolean> =>
  confirm({
    title: words.refuseTitle,
    text: words.refuseText,
    verb: words.refuse,
    action: () => run(approveTerminal, { sessionId, isApproved: false }),
    done: words.refused,
  });

/** The button that ends a terminal, or withdraws one that waits. */
export function EndButton({ sessionId, label }: { sessionId: Id<'terminal'>; label?: string }) {
  const run = useRun();
  return (
    <Button icon={<CircleStop size={15} aria-hidden />} isWrite onClick={() => askToEnd(run, sessionId)}>
      {label ?? words.end}
    </Button>
  );
}

const waiver = object({ reason: pipe(string(), trim(), nonEmpty(words.waive.reasonMissing)) });

/** The button by which an owner lets a terminal go on that cannot be recorded. */
export function WaiveButton({ sessionId }: { sessionId: Id<'terminal'> }) {
  const run = useRun();
  const [open, onOpenChange] = useState(false);
  return (
    <>
      <Button isWrite onClick={() => onOpenChange(true)}>
        {words.waive.verb}
      </Button>
      <FieldsDialog
        {...{ open, onOpenChange }}
        title={words.waive.title}
        description={words.waive.text}
        submitLabel={words.waive.verb}
        fields={{ reason: { label: words.waive.reason, required: true } }}
        schema={waiver}
        onSubmit={({ reason }) => run(waiveRecording, { sessionId, reason })}
      />
    </>
  );
}
