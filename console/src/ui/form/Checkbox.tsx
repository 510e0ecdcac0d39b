import { type ReactNode, useId } from 'react';
import { CheckboxInput } from './CheckboxInput.tsx';
import { fieldMessage } from './field-message.ts';
import { type FieldState, fieldTone } from './field-state.ts';

/** A checkbox with its label behind it, both clickable. Turns red by the rule of `Field`. */
export function Checkbox({
  label,
  checked,
  onCheckedChange,
  onBlur,
  description,
  error,
  required,
  disabled,
  name,
  ...state
}: FieldState & {
  label: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  onBlur?: (() => void) | undefined;
  description?: ReactNode;
  error?: unknown;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  name?: string | undefined;
}) {
  const id = useId();
  const isRed = fieldTone(state) === 'red';
  const message = isRed ? fieldMessage(error) : undefined;
  const more = message ?? description;
  return (
    <div className="flex flex-col gap-1">
      <label className="flex min-h-6 items-start gap-2.5 text-body text-ink has-disabled:text-ink3 pointer-coarse:min-h-11 pointer-coarse:items-center">
        <span className="relative mt-0.5 inline-flex size-4.5 shrink-0 items-center justify-center pointer-coarse:mt-0">
          <CheckboxInput
            {...{ name, checked, disabled, onBlur, isRed }}
            onChange={(event) => onCheckedChange(event.target.checked)}
            aria-required={required || undefined}
            aria-invalid={isRed || undefined}
            aria-describedby={more === undefined ? undefined : id}
          />
        </span>
        <span className="own-direction">{label}</span>
      </label>
      {more !== undefined && (
        <div
          id={id}
          className={`own-direction ps-7 text-small ${message === undefined ? 'text-ink3' : 'text-danger'}`}
        >
          {more}
        </div>
      )}
    </div>
  );
}
