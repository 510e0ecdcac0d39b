import { Check } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Field } from './Field.tsx';
import { type FieldState, fieldTone } from './field-state.ts';
import { TextInput } from './TextInput.tsx';

/** A text input with its label. Red and green by the rule of `fieldTone`; green also shows a check. `trailing` is inside the end edge. */
export function TextField({
  label,
  required,
  description,
  error,
  dirty,
  blurred,
  valid,
  onValueChange,
  trailing,
  name,
  disabled,
  className,
  ...input
}: FieldState &
  Omit<
    ComponentProps<'input'>,
    'value' | 'onChange' | 'className' | 'defaultValue' | 'required' | 'id' | 'aria-invalid'
  > & {
    label: ReactNode;
    required?: boolean | undefined;
    description?: ReactNode;
    error?: unknown;
    value: string;
    onValueChange: (value: string) => void;
    trailing?: ReactNode;
    className?: string | undefined;
  }) {
  const state = { dirty, blurred, valid };
  const tone = fieldTone(state);
  const hasTrailing = trailing !== undefined;
  return (
    <Field {...{ label, required, description, error, name, disabled, className }} {...state}>
      <span className="relative block">
        <TextInput
          {...input}
          {...{ tone, onValueChange }}
          aria-required={required || undefined}
          className={hasTrailing ? 'pe-16 pointer-coarse:pe-20' : tone === 'green' ? 'pe-9' : ''}
        />
        <span className="pointer-events-none absolute inset-y-0 end-1 flex items-center gap-1">
          {tone === 'green' && <Check size={16} aria-hidden className="me-1.5 text-ok" />}
          {hasTrailing && <span className="pointer-events-auto flex items-center">{trailing}</span>}
        </span>
      </span>
    </Field>
  );
}
