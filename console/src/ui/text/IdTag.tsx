import { Check, Copy } from 'lucide-react';
import { type MouseEvent, type ReactNode, useContext } from 'react';
import { uiCopy } from '../copy.ts';
import { classNames } from '../style/class-names.ts';
import { middleTruncate } from './middle-truncate.ts';
import { ShortIds } from './short-ids.ts';
import { useCopy } from './use-copy.ts';

/**
 * An id as a tag, truncated in the middle to `length` characters; a click copies the whole id, or follows `href`. `what` names it for the
 * announcement, e.g. "device ID". Prints in full.
 */
export function IdTag({
  href,
  onFollow,
  isPlain = false,
  ...tag
}: {
  value: string;
  what: string;
  length?: number | undefined;
  className?: string | undefined;
  /** Leaves out the icon, for many in a row. */
  isPlain?: boolean | undefined;
  /** The page of what the id names. */
  href?: string | undefined;
  onFollow?: ((event: MouseEvent) => void) | undefined;
}) {
  return href === undefined ? (
    <CopyTag {...tag} isPlain={isPlain} />
  ) : (
    <LinkTag {...tag} href={href} onFollow={onFollow} />
  );
}

type TagProps = {
  value: string;
  what: string;
  length?: number | undefined;
  className?: string | undefined;
};

const frameClass = 'group touch-area inline-flex max-w-full rounded-control align-middle';

function CopyTag({ value, what, length = 14, className, isPlain }: TagProps & { isPlain: boolean }) {
  const { isCopied, copy } = useCopy(value, what);
  const shown = useShown(value, length);
  const Icon = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      title={value}
      aria-label={uiCopy.copy.copyId(shown, what)}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
      className={classNames(frameClass, className)}
    >
      <Shape value={value} shown={shown}>
        {(!isPlain || isCopied) && (
          <Icon
            size={13}
            aria-hidden
            className={classNames('shrink-0 print:hidden', isCopied ? 'text-ok' : 'text-ink3')}
          />
        )}
      </Shape>
    </button>
  );
}

function LinkTag({
  value,
  what,
  length = 14,
  className,
  href,
  onFollow,
}: TagProps & { href: string; onFollow: ((event: MouseEvent) => void) | undefined }) {
  const shown = useShown(value, length);
  return (
    <a
      href={href}
      title={value}
      aria-label={`${shown}, ${what}`}
      onClick={onFollow}
      className={classNames(frameClass, 'hover:underline', className)}
    >
      <Shape value={value} shown={shown} isLink />
    </a>
  );
}

function useShown(value: string, length: number): string {
  return middleTruncate(value, Math.min(length, useContext(ShortIds)));
}

function Shape({
  value,
  shown,
  isLink = false,
  children,
}: {
  value: string;
  shown: string;
  isLink?: boolean;
  children?: ReactNode;
}) {
  return (
    <span
      className={classNames(
        'id-tag inline-flex h-6 min-w-0 items-center gap-1.5 bg-sunken ps-4 pe-2 text-small font-normal whitespace-nowrap',
        isLink ? 'text-denim group-hover:text-denim-hover' : 'text-ink2 group-hover:text-ink',
      )}
    >
      {/* Where there is no room for it, the end is cut and not the icon. */}
      <span dir="ltr" className="min-w-0 truncate font-mono print:hidden">
        {shown}
      </span>
      <span dir="ltr" className="hidden font-mono print:inline">
        {value}
      </span>
      {children}
    </span>
  );
}
