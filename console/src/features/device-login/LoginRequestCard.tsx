import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { userProjectsQuery } from '../../data/queries-account.ts';
import { userRepositoriesQuery } from '../../data/queries-repositories.ts';
import { Button } from '../../ui/action/Button.tsx';
import { messageOf } from '../../ui/form/message-of.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { deviceLoginCopy as words } from './copy.ts';
import { decideLogin, type LoginRequest } from './mutations.ts';

/** What a command line asks for, and from where, with the decision. */
export function LoginRequestCard({
  request,
  userId,
  onDecided,
}: {
  request: LoginRequest;
  userId: Id<'user'>;
  onDecided: (isApproved: boolean) => void;
}) {
  const nameOf = useNames(userId, request);
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
      <Properties items={itemsOf(request, nameOf)} />
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
          <Button
            variant="primary"
            isWrite
            loading={deciding === true}
            disabled={deciding === false}
            onClick={() => decide(true)}
          >
            {words.approve}
          </Button>
          <Button
            isWrite
            loading={deciding === false}
            disabled={deciding === true}
            onClick={() => decide(false)}
          >
            {words.deny}
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** The name of a project or a repository of the user; its id where it is none of them. */
function useNames(userId: Id<'user'>, { projects, repositories }: LoginRequest): (id: string) => string {
  const own = useQuery({ ...userProjectsQuery(userId), enabled: projects !== undefined }).data?.projects;
  const read = useQuery({ ...userRepositoriesQuery(userId), enabled: repositories !== undefined }).data;
  const names = new Map<string, string>([
    ...(own ?? []).map(({ projectId, name }) => [projectId, name] as const),
    ...(read?.repositories ?? []).map(({ repositoryId, name }) => [repositoryId, name] as const),
  ]);
  return (id) => names.get(id) ?? id;
}

function itemsOf(request: LoginRequest, nameOf: (id: string) => string) {
  const { access, verbs, administrator, projects, repositories } = request;
  const all = access === 'read' ? words.read : words.full;
  const granted = verbs === undefined ? all : verbs.map((verb) => words.verbs[verb]).join(', ');
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
    {
      name: words.access,
      value: administrator === true && verbs === undefined ? words.administrator : granted,
    },
    { name: words.projects, value: projects?.map(nameOf).join(', ') ?? words.all },
    { name: words.repositories, value: repositories?.map(nameOf).join(', ') ?? words.all },
    { name: words.validFor, value: words.days(request.validForDays) },
  ];
}
