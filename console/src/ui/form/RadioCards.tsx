import { useId } from 'react';

/** A choice of a few as cards, each with a line that says more. */
export function RadioCards<Value extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onValueChange,
  className = 'grid-cols-1',
}: {
  label: string;
  isLabelHidden?: boolean | undefined;
  options: readonly { value: Value; label: string; text: string }[];
  value: Value;
  onValueChange: (value: Value) => void;
  /** The columns below and from 640 px on; by default one and three. */
  className?: string;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend className={isLabelHidden ? 'sr-only' : 'mb-1.5 text-label'}>{label}</legend>
      <div className={`grid gap-2 sm:grid-cols-3 ${className}`}>
        {options.map((option) => (
          <label
            key={option.value}
            className="relative flex cursor-default flex-col rounded-control border border-line px-3 py-2.5 has-checked:border-denim has-checked:shadow-[inset_0_0_0_1px_var(--color-denim)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-denim hover:border-line-strong"
          >
            <input
              type="radio"
              {...{ name }}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="absolute inset-0 m-0 size-full cursor-default opacity-0"
            />
            <span className="text-body font-head">{option.label}</span>
            <span className="text-small text-ink2">{option.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
