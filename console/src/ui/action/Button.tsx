import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react';
import { Tooltip } from '../overlay/Tooltip.tsx';
import { Logo } from '../picture/Logo.tsx';
import { useWriteBlock } from './write-block.ts';
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.ts';

/**
 * A button. `loading` keeps its width and ignores clicks. `disabledReason` disables it, keeps it focusable and shows the reason.
 * Plain `disabled` is for submit buttons whose form shows what is missing. `label` names a button that has only an icon.
 * Submit buttons, and buttons that write to the hub (`isWrite`), are disabled while writes are blocked.
 */
export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  iconEnd,
  label,
  loading = false,
  disabledReason: ownReason,
  isWrite,
  children,
  className,
  onClick,
  ...rest
}: ComponentProps<'button'> & {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
  iconEnd?: ReactNode;
  label?: string | undefined;
  loading?: boolean | undefined;
  disabledReason?: string | undefined;
  isWrite?: boolean | undefined;
}) {
  const reasonId = useId();
  const blockedReason = useWriteBlock();
  const disabledReason = ownReason ?? ((isWrite ?? rest.type === 'submit') ? blockedReason : undefined);
  const isInert = loading || disabledReason !== undefined;
  function handleClick(event: MouseEvent<HTMLButtonElement>): void {
    if (isInert) event.preventDefault();
    else onClick?.(event);
  }
  const button = (
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
  );
  const hint = disabledReason ?? (children === undefined ? label : undefined);
  return hint === undefined ? (
    button
  ) : (
    <Tooltip content={hint} isKnown>
      {button}
    </Tooltip>
  );
}
