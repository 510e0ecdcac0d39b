import type { Output } from '@corral/contract';
import { useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { Button } from '../../ui/action/Button.tsx';
import { messageOf } from '../../ui/form/message-of.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { deviceLoginCopy as words } from './copy.ts';
import { decideLogin } from './mutations.ts';

type Found = Extract<Output<'users_FindLogin'>, { result: 'Found' }>;

/** What a command line asks for, and from where, with the decision. */
export function LoginRequestCard({
  request,
  onDecided,
}: {
  request: Found;
  onDecided: (isApproved: boolean) => void;
}) {
  const [failure, setFailure] = useState<string>();
  const [deciding, setDeciding] = useState<boolean>();
  const run = useRun();
  async function decide(isApproved: boolean): Promise<void> {
    setFailure(undefined);
    setDeciding(isApproved);
    try {
      await run(decideLogin, { userCode: request.userCode, isApproved });
      onDecided(isApproved);
    } catch (error) {
      setFailure(messageOf(error));
      setDeciding(undefined);
    }
  }
  return (
    <Card title={words.asks} isFlush>
      <Properties items={itemsOf(request)} />
      <div className="flex flex-col gap-4 border-t border-line p-4.5">
        {failure !== undefined && (
          <Notice tone="danger" title={terms.errorTitle}>
            {failure}
          </Notice>
        )}
        <Notice tone="warn" title={words.warning}>
          {words.warningText}
        </Notice>
        <div className="flex flex-wrap gap-3">
          <Button variant="primary" isWrite loading={deciding === true} onClick={() => void decide(true)}>
            {words.approve}
          </Button>
          <Button isWrite loading={deciding === false} onClick={() => void decide(false)}>
            {words.deny}
          </Button>
        </div>
      </div>
    </Card>
  );
}

function itemsOf(request: Found) {
  const { access, administrator, projects, repositories } = request;
  const granted = access === 'read' ? words.read : words.full;
  return [
    {
      name: words.code,
      value: (
        <span dir="ltr" className="text-title font-mono">
          {request.userCode}
        </span>
      ),
    },
    { name: words.name, value: request.name },
    { name: words.address, value: request.address },
    { name: words.asked, value: <RelativeTime at={request.createdAt} /> },
    { name: words.access, value: administrator === true ? words.administrator : granted },
    { name: words.projects, value: projects?.join(', ') ?? words.all },
    { name: words.repositories, value: repositories?.join(', ') ?? words.all },
    { name: words.validFor, value: words.days(request.validForDays) },
  ];
}
