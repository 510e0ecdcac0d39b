import type { Id, Output } from '@corral/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { hubOf } from '../../data/hub.ts';
import { stepUp } from '../../data/session.ts';
import { usePasskeysHere } from '../../parts/passkey/use-passkeys-here.ts';
import { askForPasskey } from '../../parts/passkey/webauthn.ts';
import { factorCopy } from '../../parts/second-factor/copy.ts';
import { secondFactorsQuery } from '../../parts/second-factor/queries.ts';
import { Button } from '../../ui/action/Button.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { stepUpCopy as words } from './step-up-copy.ts';

/** How the user proves who it is. */
type Way = 'passkey' | 'code' | 'recoveryCode' | 'password';

/** Asks for the password, or for a passkey or a code where the user has a second factor; `onEnd` is told whether it was right. */
export function StepUpDialog({
  userId,
  open,
  onEnd,
}: {
  userId: Id<'user'>;
  open: boolean;
  onEnd: (isDone: boolean) => void;
}) {
  const { data: factors } = useQuery({ ...secondFactorsQuery(userId), enabled: open });
  const hub = hubOf(useQueryClient());
  const isHere = usePasskeysHere();
  const [chosen, setChosen] = useState<Way>();
  const [typed, setTyped] = useState('');
  const [failure, attempt, forget] = useFailure();
  const { mutateAsync, isPending } = useMutation(stepUp);
  const input = useRef<HTMLInputElement>(null);
  const ways = waysOf(factors, isHere);
  const way = chosen ?? ways[0] ?? 'password';
  const change = (next: string) => {
    forget();
    setTyped(next);
  };
  const isKnown = factors !== undefined;
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
      description={textOf(way)}
      submitLabel={words.submit}
      size="small"
      canSubmit={isKnown && (way === 'passkey' || typed.trim() !== '')}
      busy={isPending}
      error={failure}
      onSubmit={() => void submit()}
      onReset={() => {
        setChosen(undefined);
        change('');
      }}
    >
      {isKnown && way !== 'passkey' && (
        <ProofField key={way} way={way} value={typed} onValueChange={change} ref={input} />
      )}
      {ways.length > 1 && (
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
                }}
              >
                {insteadOf(other)}
              </Button>
            ))}
        </div>
      )}
    </FormDialog>
  );
}

/** The ways of the user to confirm, the easiest first. */
function waysOf(factors: Output<'users_GetSecondFactors'> | undefined, isHere: boolean): Way[] {
  if (factors === undefined) return [];
  const { passkeys, authenticator } = factors;
  if (passkeys.length === 0 && authenticator === undefined) return ['password'];
  const hasPasskey = isHere && passkeys.some(({ worksOnlyAt }) => worksOnlyAt === undefined);
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(authenticator === undefined ? [] : (['code'] as const)),
    'recoveryCode',
  ];
}

function textOf(way: Way): string {
  if (way === 'password') return words.textPassword;
  return way === 'code' ? words.textFactor : factorCopy.confirmText;
}

function insteadOf(way: Way): string {
  if (way === 'passkey') return factorCopy.passkeyInstead;
  return way === 'code' ? factorCopy.useApp : factorCopy.useRecoveryCode;
}

const fields = {
  password: {
    label: () => factorCopy.password,
    hint: () => undefined,
    type: 'password',
    autoComplete: 'current-password',
  },
  code: {
    label: () => factorCopy.code,
    hint: () => factorCopy.codeHint,
    type: 'text',
    autoComplete: 'one-time-code',
  },
  recoveryCode: {
    label: () => factorCopy.recoveryCode,
    hint: () => factorCopy.recoveryHint,
    type: 'text',
    autoComplete: 'off',
  },
} as const;

function ProofField({
  way,
  value,
  onValueChange,
  ref,
}: {
  way: keyof typeof fields;
  value: string;
  onValueChange: (next: string) => void;
  ref: RefObject<HTMLInputElement | null>;
}) {
  const { label, hint, type, autoComplete } = fields[way];
  return (
    <TextField
      ref={ref}
      name={way}
      label={label()}
      description={hint()}
      type={type}
      value={value}
      onValueChange={onValueChange}
      required
      inputMode={way === 'code' ? 'numeric' : 'text'}
      autoComplete={autoComplete}
      autoCapitalize={way === 'recoveryCode' ? 'characters' : 'none'}
      spellCheck={false}
      dirty={false}
      blurred={false}
      valid={undefined}
    />
  );
}
