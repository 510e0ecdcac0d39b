import type { Id, Output } from '@corral/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRun } from '../../../data/action-mutation.ts';
import { hubOf } from '../../../data/hub.ts';
import { configQuery } from '../../../data/queries-account.ts';
import { withStepUp } from '../../../data/step-up.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { confirm } from '../../../parts/confirm.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { securityCopy } from './copy.ts';
import { unlinkIdentity } from './mutations.ts';
import { identitiesQuery } from './queries.ts';

const words = securityCopy.identities;

type Identity = Output<'users_GetUserIdentities'>['identities'][number];

/** The accounts at the provider with which the user can sign in; nothing where there is no provider. */
export function IdentitiesCard({ userId }: { userId: Id<'user'> }) {
  const { identities } = useLoadedQuery(identitiesQuery(userId)).data;
  const name = useQuery(configQuery).data?.providerName;
  const queryClient = useQueryClient();
  const [failure, attempt] = useFailure();
  if (name === undefined && identities.length === 0) return null;
  const link = async (): Promise<void> =>
    window.location.assign(await withStepUp(() => hubOf(queryClient).beginLink()));
  return (
    <Card title={words.title} className="max-w-[36rem]" isFlush>
      {identities.length > 0 && (
        <Properties
          layout="wide names"
          items={identities.map((identity) => ({
            key: `${identity.issuer} ${identity.subject}`,
            name: whoOf(identity),
            value: <IdentityFacts userId={userId} identity={identity} />,
          }))}
        />
      )}
      <div className="flex flex-col items-start gap-4 border-t border-line p-4.5 first:border-t-0">
        {failure !== undefined && (
          <Notice tone="danger" title={words.notLinked}>
            {failure}
          </Notice>
        )}
        {name !== undefined && (
          <>
            <p className="text-body text-ink2">{words.text(name)}</p>
            <Button isWrite onClick={() => attempt(link)}>
              {words.link(name)}
            </Button>
          </>
        )}
      </div>
    </Card>
  );
}

const whoOf = ({ email, name, subject }: Identity): string => email ?? name ?? subject;

function IdentityFacts({ userId, identity }: { userId: Id<'user'>; identity: Identity }) {
  const run = useRun();
  const { issuer, subject, linkedAt, lastUsedAt } = identity;
  const who = whoOf(identity);
  const unlink = () =>
    confirm({
      title: words.unlinkTitle(who),
      text: words.unlinkText,
      verb: words.unlink,
      action: () => run(unlinkIdentity, { userId, issuer, subject }),
      done: words.unlinked,
    });
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <span className="min-w-0">
        {issuer}
        <span className="block text-ink3">
          {words.since} <RelativeTime at={linkedAt} />,{' '}
          {lastUsedAt === undefined ? (
            words.neverUsed
          ) : (
            <>
              {words.lastUsed} <RelativeTime at={lastUsedAt} />
            </>
          )}
        </span>
      </span>
      <Button isWrite label={words.unlinkName(who)} onClick={unlink}>
        {words.unlink}
      </Button>
    </span>
  );
}
