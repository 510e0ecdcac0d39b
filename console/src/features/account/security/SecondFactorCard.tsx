import type { Id, Output } from '@corral/contract';
import { ShieldCheck, ShieldOff, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { confirm } from '../../../parts/confirm.ts';
import { factorCopy } from '../../../parts/second-factor/copy.ts';
import { secondFactorsQuery } from '../../../parts/second-factor/queries.ts';
import { RecoveryCodes } from '../../../parts/second-factor/RecoveryCodes.tsx';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { messageOf } from '../../../ui/form/message-of.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { AbsoluteTime } from '../../../ui/time/AbsoluteTime.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { securityCopy } from './copy.ts';
import { beginAuthenticator, removeSecondFactors, renewRecoveryCodes } from './mutations.ts';
import { NewAuthenticatorDialog } from './NewAuthenticatorDialog.tsx';

const words = securityCopy.secondFactor;
const fewCodes = 3;

/** The second factor of the user: set up, renewed and removed here. */
export function SecondFactorCard({ userId }: { userId: Id<'user'> }) {
  const { authenticator, passkeys, recoveryCodesLeft, isRequired, dueAt, confirmsBy } = useLoadedQuery(
    secondFactorsQuery(userId),
  ).data;
  const hasPasskeys = passkeys.length > 0;
  const isUnproved = authenticator !== undefined && !confirmsBy.includes('totp');
  const isLast = passkeys.every(({ worksOnlyAt }) => worksOnlyAt !== undefined);
  const [begun, setBegun] = useState<Output<'users_BeginAuthenticatorEnrolment'>>();
  const [codes, setCodes] = useState<readonly string[]>();
  const run = useRun();
  const add = () =>
    run(beginAuthenticator, {}).then(setBegun, (error: unknown) =>
      showToast(words.notBegun, { tone: 'danger', text: messageOf(error) }),
    );
  const renew = () =>
    confirm({
      title: words.renew,
      text: words.renewText,
      verb: words.renew,
      tone: 'primary',
      action: async () => setCodes((await run(renewRecoveryCodes, {})).recoveryCodes),
    });
  const remove = () =>
    confirm({
      title: words.removeTitle,
      text: hasPasskeys ? words.removeOneText : words.removeText,
      verb: words.remove,
      action: () => run(removeSecondFactors, { userId, kind: 'authenticator' }),
      done: words.removed,
    });
  return (
    <Card title={words.title} className="max-w-[36rem]" isFlush>
      {authenticator === undefined && (
        <div className="flex flex-col items-start gap-4 p-4.5">
          {isRequired && !hasPasskeys && (
            <Notice tone="warn" title={words.required}>
              {dueAt !== undefined && (
                <>
                  {words.due} <AbsoluteTime at={dueAt} />
                </>
              )}
            </Notice>
          )}
          <p className="text-body text-ink2">{words.text}</p>
          <Button isWrite onClick={add}>
            {words.add}
          </Button>
        </div>
      )}
      {(authenticator !== undefined || hasPasskeys) && (
        <div className={authenticator === undefined ? 'border-t border-line' : undefined}>
          {isUnproved && (
            <div className="p-4.5 pb-0">
              <Notice tone="warn" title={words.unproved}>
                {words.unprovedText}
              </Notice>
            </div>
          )}
          <FactorFacts authenticator={authenticator} recoveryCodesLeft={recoveryCodesLeft} />
          <div className="flex flex-wrap gap-3 border-t border-line p-4.5">
            <Button isWrite onClick={renew}>
              {words.renew}
            </Button>
            {authenticator !== undefined && (
              <Button
                isWrite
                disabledReason={isRequired && isLast ? words.lastStays : undefined}
                onClick={remove}
              >
                {words.remove}
              </Button>
            )}
          </div>
        </div>
      )}
      <NewAuthenticatorDialog begun={begun} onClose={() => setBegun(undefined)} onAdded={setCodes} />
      <Dialog
        open={codes !== undefined}
        onOpenChange={() => setCodes(undefined)}
        title={factorCopy.codesTitle}
        guarded
      >
        <RecoveryCodes codes={codes ?? []} />
      </Dialog>
    </Card>
  );
}

function FactorFacts({
  authenticator,
  recoveryCodesLeft,
}: {
  authenticator: Output<'users_GetSecondFactors'>['authenticator'];
  recoveryCodesLeft: number;
}) {
  return (
    <Properties
      items={[
        {
          name: words.authenticator,
          value: authenticator && (
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              {authenticator.isLocked ? (
                <Badge tone="danger" icon={<ShieldOff size={13} aria-hidden />}>
                  {words.locked}
                </Badge>
              ) : (
                <Badge tone="ok" icon={<ShieldCheck size={13} aria-hidden />}>
                  {words.on}
                </Badge>
              )}
              <span className="text-ink3">
                {words.since} <RelativeTime at={authenticator.addedAt} />
              </span>
            </span>
          ),
        },
        {
          name: words.lastWrong,
          value: authenticator?.lastWrongAt && (
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <RelativeTime at={authenticator.lastWrongAt} />
              <span className="text-ink3">{words.lastWrongText}</span>
            </span>
          ),
        },
        {
          name: words.recoveryCodes,
          value: (
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              {words.left(recoveryCodesLeft)}
              {recoveryCodesLeft <= fewCodes && (
                <Badge tone="warn" icon={<TriangleAlert size={13} aria-hidden />}>
                  {words.few}
                </Badge>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}
