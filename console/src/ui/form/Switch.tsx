import { Field as BaseField } from '@base-ui/react/field';
import { Switch as Base } from '@base-ui/react/switch';
import { type ReactElement, type ReactNode, useId } from 'react';
import { useWriteBlock } from '../action/write-block.ts';
import { Tooltip } from '../overlay/Tooltip.tsx';

/**
 * A setting that takes effect at once. With `isLabelHidden` only screen readers get the label, as in a table column. It is
 * disabled while writes to the hub are blocked, unless the setting `isLocal` to this browser.
 */
export function Switch({
  label,
  checked,
  onCheckedChange,
  description,
  isLabelHidden = false,
  disabledReason: ownReason,
  isLocal = false,
}: {
  label: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  description?: ReactNode;
  isLabelHidden?: boolean | undefined;
  disabledReason?: string | undefined;
  isLocal?: boolean | undefined;
}) {
  const reasonId = useId();
  const blockedReason = useWriteBlock();
  const disabledReason = ownReason ?? (isLocal ? undefined : blockedReason);
  const isInert = disabledReason !== undefined;
  const control = (
    <Base.Root
      checked={checked}
      onCheckedChange={(next, { cancel }) => (isInert ? cancel() : onCheckedChange(next))}
      aria-disabled={isInert || undefined}
      aria-describedby={isInert ? reasonId : undefined}
      className="inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong bg-sunken p-0.5 transition-colors print:[print-color-adjust:exact] aria-disabled:opacity-60 data-checked:border-denim data-checked:bg-denim"
    >
      <Base.Thumb className="filled-when-forced size-3.5 rounded-full bg-line-strong transition-transform data-checked:translate-x-4 data-checked:bg-on-denim rtl:data-checked:-translate-x-4" />
    </Base.Root>
  );
  return (
    <BaseField.Root className="flex flex-col gap-1">
      <BaseField.Label className="inline-flex min-h-6 items-center gap-2.5 text-body text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11">
        {isInert ? (
          <Tooltip content={disabledReason} isKnown>
            {control as ReactElement}
          </Tooltip>
        ) : (
          control
        )}
        <span className={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
      </BaseField.Label>
      {isInert && (
        <span id={reasonId} className="sr-only">
          {disabledReason}
        </span>
      )}
      {description !== undefined && (
        <BaseField.Description className="own-direction ps-11.5 text-small text-ink3">
          {description}
        </BaseField.Description>
      )}
    </BaseField.Root>
  );
}
