import type { Id } from '@corral/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { hubOf } from '../../data/hub.ts';
import { configQuery } from '../../data/queries-account.ts';
import { stepUp } from '../../data/session.ts';
import { usePasskeysHere } from '../../parts/passkey/use-passkeys-here.ts';
import { askForPasskey } from '../../parts/passkey/webauthn.ts';
import { secondFactorsQuery } from '../../parts/second-factor/queries.ts';
import { Button } from '../../ui/action/Button.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { ProofField } from './ProofField.tsx';
import { insteadOf, textOf, type Way, waysOf } from './proof-ways.ts';
import { stepUpCopy as words } from './step-up-copy.ts';
import { useProviderProof } from './use-provider-proof.ts';

/** Asks for the password, for a sign-in at the provider, or for a passkey or a code where the user has a second factor; `onEnd` is told whether it was right. */
export function StepUpDialog({
  userId,
  open,
  onEnd,
}: {
  userId: Id<'user'>;
  open: boolean;
  onEnd: (isDone: boolean) => void;
}) {
  const ways = useWays(userId, open);
  const { providerName: provider = '' } = useQuery(configQuery).data ?? {};
  const hub = hubOf(useQueryClient());
  const [chosen, setChosen] = useState<Way>();
  const [typed, setTyped] = useState('');
  const [failure, attempt, forget] = useFailure();
  const { mutateAsync, isPending } = useMutation(stepUp);
  const atProvider = useProviderProof(open, () => onEnd(true));
  const input = useRef<HTMLInputElement>(null);
  const isKnown = ways !== undefined && ways.length > 0;
  const way = chosen ?? ways?.[0] ?? 'password';
  const hasField = way !== 'passkey' && way !== 'provider';
  const change = (next: string) => {
    forget();
    atProvider.reset();
    setTyped(next);
  };
  useEffect(() => {
    if (!open || !isKnown) return;
    input.current?.focus();
    input.current?.select();
  }, [open, isKnown, way, failure]);
  const submit = () =>
    attempt(async () => {
      await mutateAsync(
        way === 'passkey'
          ? { passkey: await askForPasskey(await hub.beginPasskeyStepUp()) }
          : { [way]: typed },
      );
      onEnd(true);
    });
  return (
    <FormDialog
      open={open}
      onOpenChange={(next) => !next && onEnd(false)}
      title={words.title}
      description={ways && (isKnown ? textOf(way, provider, atProvider.isWaiting) : words.noWay)}
      submitLabel={submitLabelOf(way, provider, atProvider.isWaiting)}
      size="small"
      canSubmit={isKnown && (!hasField || typed.trim() !== '')}
      busy={isPending}
      error={failure ?? atProvider.failure}
      onSubmit={() => void (way === 'provider' ? atProvider.lead() : submit())}
      onReset={() => {
        setChosen(undefined);
        change('');
      }}
    >
      {isKnown && hasField && (
        <ProofField key={way} way={way} value={typed} onValueChange={change} ref={input} />
      )}
      {isKnown && ways.length > 1 && (
        <div className="-ms-3.75 flex flex-wrap">
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <Button
                key={other}
                variant="quiet"
                onClick={() => {
                  change('');
                  setChosen(other);
                  if (other === 'provider') void atProvider.lead();
                }}
              >
                {insteadOf(other, provider)}
              </Button>
            ))}
        </div>
      )}
    </FormDialog>
  );
}

/** The ways of the user to confirm; undefined until the hub has said them. */
function useWays(userId: Id<'user'>, open: boolean): Way[] | undefined {
  const { data: factors } = useQuery({ ...secondFactorsQuery(userId), enabled: open });
  const provider = useQuery(configQuery).data?.providerName;
  const isHere = usePasskeysHere();
  return factors && waysOf(factors, { provider, isHere });
}

function submitLabelOf(way: Way, provider: string, isWaiting: boolean): string {
  if (way !== 'provider') return words.submit;
  return isWaiting ? words.again(provider) : words.atProvider(provider);
}
