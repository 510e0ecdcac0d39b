import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react';
import { Tooltip } from '../overlay/Tooltip.tsx';
import { Logo } from '../picture/Logo.tsx';
import { useOneRun } from './use-one-run.ts';
import { useWriteBlock } from './write-block.ts';
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.ts';

/**
 * A button. It is `loading`, also while a promise of `onClick` is pending, and ignores clicks then. `disabledReason` keeps it focusable and
 * shows the reason; plain `disabled` is for submit buttons. `label` names one with only an icon. Buttons that write to the hub (`isWrite`)
 * are disabled while writes are blocked, and take a double click as one.
 */
export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  iconEnd,
  label,
  loading: isAskedToLoad = false,
  disabledReason: ownReason,
  isWrite,
  children,
  className,
  onClick,
  ...rest
}: Omit<ComponentProps<'button'>, 'onClick'> & {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
  iconEnd?: ReactNode;
  label?: string | undefined;
  loading?: boolean | undefined;
  disabledReason?: string | undefined;
  isWrite?: boolean | undefined;
  onClick?: ((event: MouseEvent<HTMLButtonElement>) => unknown) | undefined;
}) {
  const reasonId = useId();
  const blockedReason = useWriteBlock();
  const disabledReason = ownReason ?? ((isWrite ?? rest.type === 'submit') ? blockedReason : undefined);
  const { isRunning, start } = useOneRun();
  const loading = isAskedToLoad || isRunning;
  const isInert = loading || disabledReason !== undefined;
  function handleClick(event: MouseEvent<HTMLButtonElement>): void {
    const isSecondOfDouble = isWrite === true && event.detail > 1;
    if (isInert || isSecondOfDouble) event.preventDefault();
    else start(() => onClick?.(event));
  }
  return (
    // Also without a content, because another element around the button would take its focus away.
    <Tooltip content={disabledReason ?? (children === undefined ? label : undefined)} isKnown>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-busy={loading || undefined}
        aria-disabled={isInert || undefined}
        aria-describedby={disabledReason === undefined ? rest['aria-describedby'] : reasonId}
        onClick={handleClick}
        className={`${buttonClass(variant, size, children === undefined)} ${className ?? ''}`}
      >
        {loading && <Logo size={16} isSpinning className="absolute" />}
        <span className={loading ? 'inline-flex items-center gap-[inherit] opacity-0' : 'contents'}>
          {icon}
          {children}
          {iconEnd}
        </span>
        {/* Hidden, so that it is the description and not part of the name. */}
        {disabledReason !== undefined && (
          <span id={reasonId} hidden>
            {disabledReason}
          </span>
        )}
      </button>
    </Tooltip>
  );
}
