import type { Id } from '@corral/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { stepUp } from '../../data/session.ts';
import { factorCopy } from '../../parts/second-factor/copy.ts';
import { secondFactorsQuery } from '../../parts/second-factor/queries.ts';
import { Button } from '../../ui/action/Button.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { signInCopy } from './copy.ts';

const words = signInCopy.stepUp;

/** How the user proves who it is. */
type Way = 'password' | 'code' | 'recoveryCode';

/** Asks for the password, or for a code where the user has a second factor; `onEnd` is told whether it was right. */
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
  const [hasNoApp, setHasNoApp] = useState(false);
  const [typed, setTyped] = useState('');
  const [failure, attempt, forget] = useFailure();
  const { mutateAsync, isPending } = useMutation(stepUp);
  const input = useRef<HTMLInputElement>(null);
  const hasFactor = factors?.authenticator !== undefined;
  const way: Way = !hasFactor ? 'password' : hasNoApp ? 'recoveryCode' : 'code';
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
      await mutateAsync({ [way]: typed });
      onEnd(true);
    });
  return (
    <FormDialog
      open={open}
      onOpenChange={(next) => !next && onEnd(false)}
      title={words.title}
      description={hasFactor ? words.textFactor : words.textPassword}
      submitLabel={words.submit}
      size="small"
      canSubmit={isKnown && typed.trim() !== ''}
      busy={isPending}
      error={failure}
      onSubmit={() => void submit()}
      onReset={() => {
        setHasNoApp(false);
        change('');
      }}
    >
      {isKnown && <ProofField key={way} way={way} value={typed} onValueChange={change} ref={input} />}
      {hasFactor && (
        <Button
          variant="quiet"
          className="-ms-3.75 self-start"
          onClick={() => {
            change('');
            setHasNoApp(!hasNoApp);
          }}
        >
          {hasNoApp ? factorCopy.useApp : factorCopy.useRecoveryCode}
        </Button>
      )}
    </FormDialog>
  );
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
  way: Way;
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
