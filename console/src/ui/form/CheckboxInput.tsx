import { Check, Minus } from 'lucide-react';
import type { ComponentProps } from 'react';

/** The box of a checkbox, without a label. `isMixed` shows that some of the rows that it stands for are selected. */
export function CheckboxInput({
  isRed = false,
  isMixed = false,
  ...input
}: Omit<ComponentProps<'input'>, 'type' | 'className' | 'ref'> & {
  isRed?: boolean | undefined;
  isMixed?: boolean | undefined;
}) {
  return (
    <>
      <input
        {...input}
        type="checkbox"
        ref={(element) => {
          if (element !== null) element.indeterminate = isMixed;
        }}
        className={`peer absolute inset-0 appearance-none rounded-control border bg-surface transition-colors checked:border-denim checked:bg-denim indeterminate:border-denim indeterminate:bg-denim disabled:opacity-60 ${isRed ? 'border-danger' : 'border-line-strong'}`}
      />
      <Check
        size={13}
        strokeWidth={3}
        aria-hidden
        className="pointer-events-none relative hidden text-on-denim peer-checked:block peer-indeterminate:hidden"
      />
      <Minus
        size={13}
        strokeWidth={3}
        aria-hidden
        className="pointer-events-none relative hidden text-on-denim peer-indeterminate:block"
      />
    </>
  );
}
