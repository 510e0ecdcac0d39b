import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { FieldContext, type FieldControl } from './field-context.ts';
import { fieldMessage } from './field-message.ts';
import { type FieldState, fieldTone } from './field-state.ts';
import { RequiredMark } from './RequiredMark.tsx';

/**
 * Label, control, description and error message. Shows "(required)" or "(optional)" unless `required` is omitted; `error` only while the
 * field is red. The control in `children` must take the props of `useFieldControl`.
 */
export function Field({
  label,
  required,
  description,
  error,
  name,
  disabled,
  children,
  className,
  ...state
}: FieldState & {
  label: ReactNode;
  required?: boolean | undefined;
  description?: ReactNode;
  error?: unknown;
  name?: string | undefined;
  disabled?: boolean | undefined;
  children: ReactNode;
  className?: string | undefined;
}) {
  const id = useId();
  const isRed = fieldTone(state) === 'red';
  const message = isRed ? fieldMessage(error) : undefined;
  const control: FieldControl = {
    id,
    name,
    disabled,
    'aria-describedby': describedBy(id, message !== undefined, description !== undefined),
    'aria-invalid': isRed || undefined,
  };
  return (
    <div className={`flex flex-col gap-1.5 ${className ?? ''}`}>
      <label htmlFor={id} className="own-direction text-label text-ink">
        {label} {required !== undefined && <RequiredMark required={required} />}
      </label>
      <FieldContext value={control}>{children}</FieldContext>
      {description !== undefined && (
        <div id={`${id}-description`} className="own-direction text-small text-ink3">
          {description}
        </div>
      )}
      {message !== undefined && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-small text-danger">
          <CircleAlert size={14} aria-hidden className="mt-px shrink-0" />
          <span className="own-direction min-w-0 wrap-anywhere">{message}</span>
        </p>
      )}
    </div>
  );
}

function describedBy(id: string, hasMessage: boolean, hasDescription: boolean): string | undefined {
  const ids = [hasMessage && `${id}-error`, hasDescription && `${id}-description`].filter(
    (part) => part !== false,
  );
  return ids.length === 0 ? undefined : ids.join(' ');
}
