import type { RefObject } from 'react';
import { factorCopy } from '../../parts/second-factor/copy.ts';
import { TextField } from '../../ui/form/TextField.tsx';

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

/** Where a password or a code is typed to confirm who the user is. */
export function ProofField({
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
