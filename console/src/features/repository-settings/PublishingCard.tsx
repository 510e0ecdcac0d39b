import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useRun } from '../../data/action-mutation.ts';
import { confirm } from '../../parts/confirm.ts';
import { ErrorBoundary } from '../../parts/ErrorBoundary.tsx';
import { useLazyDialog } from '../../parts/use-lazy-dialog.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { publishingCopy as words } from './publishing-copy.ts';
import { deletePublisher, publishersQuery, workflowOf, type Publisher } from './publishing.ts';

// Lazy, because few people set this up.
async function loadPublisherDialog() {
  const { PublisherDialog } = await import('./PublisherDialog.tsx');
  return (props: Parameters<typeof PublisherDialog>[0]) => <PublisherDialog {...props} />;
}

/** The jobs of CIs that may publish to a repository, the workflow that does, and why tokens were refused. For owners. */
export function PublishingCard({ repositoryId }: { repositoryId: Id<'repository'> }) {
  const { data, error, refetch } = useQuery(publishersQuery(repositoryId));
  const dialog = useLazyDialog(loadPublisherDialog);
  const { publishers = [], issuers = [], refusals = [], audience = '' } = data ?? {};
  const kinds = [...new Set(publishers.map(({ kind }) => kind))];
  return (
    <Card isFlush title={words.title}>
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        <div className="flex flex-wrap items-center justify-between gap-4 p-4.5">
          <p className="max-w-[26rem] text-body text-ink2">{words.text}</p>
          <Button
            isWrite
            disabledReason={data !== undefined && issuers.length === 0 ? words.noIssuers : undefined}
            onClick={dialog.open}
          >
            {words.add}
          </Button>
        </div>
        {publishers.length > 0 && (
          <ul className="border-t border-line">
            {publishers.map((publisher) => (
              <PublisherRow
                key={publisher.publisherId}
                publisher={publisher}
                isAllowed={issuers.includes(publisher.issuer)}
              />
            ))}
          </ul>
        )}
        {kinds.map((kind) => (
          <div key={kind} className="flex flex-col gap-1.5 border-t border-line p-4.5">
            <span className="text-body text-ink2">{words.workflow(words.kinds[kind])}</span>
            <CodeBlock code={workflowOf(kind, audience)} what={words.workflow(words.kinds[kind])} />
          </div>
        ))}
        {refusals.length > 0 && <Refusals refusals={refusals} />}
      </ErrorBoundary>
      {data !== undefined && dialog.render({ repositoryId, issuers })}
    </Card>
  );
}

function PublisherRow({ publisher, isAllowed }: { publisher: Publisher; isAllowed: boolean }) {
  const run = useRun();
  const { publisherId, name, kind, issuer, conditions, allowsPullRequests, lastUsedAt, lastUsedBy } =
    publisher;
  const isOfAnyRef = !conditions.some(({ claim }) => ['ref', 'ref_path'].includes(claim));
  const remove = () =>
    confirm({
      title: words.removeOf(name),
      text: words.removeText,
      verb: words.remove,
      action: () => run(deletePublisher, { publisherId }),
      done: words.removed(name),
    });
  const parts = [
    ...conditions.map(({ claim, expected }) => `${claim} = ${expected}`),
    ...(isOfAnyRef ? [words.any] : []),
    ...(allowsPullRequests === true ? [words.pullRequests] : []),
  ];
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 border-line p-4.5 not-first:border-t">
      <div className="flex min-w-0 flex-1 flex-col gap-1 text-body">
        <bdi className="font-head">{name}</bdi>
        <span className="wrap-anywhere text-ink2">
          {words.kinds[kind]}, {issuer}
        </span>
        <span className="wrap-anywhere text-ink2">{parts.join(', ')}</span>
        {!isAllowed && <span className="text-danger">{words.notAllowed}</span>}
        <span className="wrap-anywhere text-ink3">
          {lastUsedAt === undefined ? (
            words.never
          ) : (
            <>
              {words.lastUsed} <RelativeTime at={lastUsedAt} /> {lastUsedBy && words.by(lastUsedBy)}
            </>
          )}
        </span>
      </div>
      <Button
        size="small"
        isWrite
        icon={<Trash2 size={15} aria-hidden />}
        label={words.removeOf(name)}
        onClick={() => void remove()}
      />
    </li>
  );
}

function Refusals({ refusals }: Pick<Output<'repositories_GetPublishers'>, 'refusals'>) {
  return (
    <section className="flex flex-col gap-2 border-t border-line p-4.5">
      <h3 className="text-body font-head">{words.refusals}</h3>
      <ul className="flex flex-col gap-2 text-body">
        {refusals.map(({ at, job, reason }) => (
          <li key={`${at} ${job} ${reason}`} className="wrap-anywhere">
            <span className="text-ink2">
              <bdi>{job}</bdi>, <RelativeTime at={at} />
            </span>
            <br />
            {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}
