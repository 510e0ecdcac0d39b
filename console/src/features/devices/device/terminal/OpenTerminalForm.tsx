import type { Id } from '@corral/contract';
import { SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { useRun } from '../../../../data/action-mutation.ts';
import { terminalCopy } from '../../../../parts/terminal/copy.ts';
import { keepTicket } from '../../../../parts/terminal/pending-tickets.ts';
import { openTerminal, type TerminalAccess } from '../../../../parts/terminal/terminals.ts';
import { Button } from '../../../../ui/action/Button.tsx';
import { useOneRun } from '../../../../ui/action/use-one-run.ts';
import { Select } from '../../../../ui/form/Select.tsx';
import { TextField } from '../../../../ui/form/TextField.tsx';
import { useFailure } from '../../../../ui/form/use-failure.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { Notice } from '../../../../ui/layout/Notice.tsx';

const words = terminalCopy.open;

/** Opens a terminal: as which user, and why where the project asks that. */
export function OpenTerminalForm({
  deviceId,
  access,
  onSessionChange,
}: {
  deviceId: Id<'device'>;
  access: TerminalAccess;
  onSessionChange: (session: Id<'terminal'>) => void;
}) {
  const run = useRun();
  const { users, isReasonNeeded, approval } = access;
  const [user, setUser] = useState(users[0] ?? null);
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [failure, attempt] = useFailure();
  const { isRunning, start } = useOneRun();
  const isMissing = isReasonNeeded && reason.trim() === '';
  async function open(): Promise<void> {
    const answer = await run(openTerminal, {
      deviceId,
      ...(user === null ? {} : { user }),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
    if (answer.result === 'Opened') keepTicket(answer.sessionId, answer.ticket);
    onSessionChange(answer.sessionId);
  }
  return (
    <Card title={words.title} isUnclipped>
      <form
        noValidate
        className="flex max-w-form flex-col items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setIsTried(true);
          if (!isMissing) start(() => attempt(open));
        }}
      >
        <p className="text-body text-ink2">{textOf(access)}</p>
        {users.length > 1 && (
          <Select
            className="w-full"
            label={words.user}
            options={users.map((value) => ({ value, label: value }))}
            value={user}
            onValueChange={setUser}
          />
        )}
        {isReasonNeeded && (
          <TextField
            className="w-full"
            label={words.reason}
            description={words.reasonHint}
            required
            maxLength={2_000}
            value={reason}
            onValueChange={setReason}
            blurred={isTried}
            dirty={isTried}
            {...(isMissing ? { error: words.reasonMissing } : {})}
          />
        )}
        {failure !== undefined && (
          <Notice tone="danger" title={words.failed}>
            {failure}
          </Notice>
        )}
        <Button
          type="submit"
          variant="primary"
          loading={isRunning}
          icon={<SquareTerminal size={15} aria-hidden />}
        >
          {approval === 'Approve' ? words.ask : words.verb}
        </Button>
      </form>
    </Card>
  );
}

function textOf({ approval, recording }: TerminalAccess): string {
  return [
    words.text,
    words.recorded,
    ...(recording === 'Required' ? [words.required] : []),
    ...(approval === 'Approve' ? [words.approve] : approval === 'Watch' ? [words.watch] : []),
  ].join(' ');
}
