import { Check, Copy } from 'lucide-react';
import { uiCopy } from '../copy.ts';
import { classNames } from '../style/class-names.ts';
import { middleTruncate } from './middle-truncate.ts';
import { useCopy } from './use-copy.ts';

/**
 * An id as a tag, truncated in the middle to `length` characters; a click copies the whole id. `what` names it for the announcement,
 * e.g. "device ID". Prints in full.
 */
export function IdTag({
  value,
  what,
  length = 14,
  className,
}: {
  value: string;
  what: string;
  length?: number | undefined;
  className?: string | undefined;
}) {
  const { isCopied, copy } = useCopy(value, what);
  const shown = middleTruncate(value, length);
  const Icon = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      title={value}
      aria-label={`${uiCopy.copy.copyWhat(what)} ${shown}`}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
      className={classNames('group inline-flex max-w-full rounded-control align-middle', className)}
    >
      <span className="id-tag inline-flex h-6 min-w-0 items-center gap-1.5 bg-sunken ps-4 pe-2 text-small font-normal whitespace-nowrap text-ink2 group-hover:text-ink">
        {/* Where there is no room for it, the end is cut and not the icon. */}
        <span dir="ltr" className="min-w-0 truncate font-mono print:hidden">
          {shown}
        </span>
        <span dir="ltr" className="hidden font-mono print:inline">
          {value}
        </span>
        <Icon
          size={13}
          aria-hidden
          className={classNames('shrink-0 print:hidden', isCopied ? 'text-ok' : 'text-ink3')}
        />
      </span>
    </button>
  );
}
