import type { ReactNode } from 'react';
import { uiCopy } from '../copy.ts';
import { LongText } from '../text/LongText.tsx';
import { middleTruncate } from '../text/middle-truncate.ts';

/** How values of a certain kind, such as ids, are shown; undefined for all others. */
export type ValueView = (text: string) => ReactNode;

/**
 * The properties of an object as key=value, sorted by key, without the keys in `omit`; those of an object in it as key.key=value. A scalar is
 * shown as text. With `isBrief` only those on two lines show, and "…" or a number says that there are more.
 */
export function KeyValueBadges({
  data,
  omit = [],
  isBrief = false,
  view,
}: {
  data: unknown;
  omit?: readonly string[] | undefined;
  isBrief?: boolean | undefined;
  view?: ValueView | undefined;
}) {
  if (typeof data !== 'object' || data === null)
    return <code className="font-mono text-small text-ink2">{String(data ?? '')}</code>;
  const pairs = pairsOf(data, omit);
  const shown = pairs.slice(0, isBrief ? mostOnTwoLines : undefined);
  const badges = shown.map(([key, text]) => <Pair key={key} {...{ name: key, text, isBrief, view }} />);
  if (!isBrief) return <span className="flex flex-wrap gap-1">{badges}</span>;
  return (
    <span className="two-lines">
      <span className="flex min-h-13 flex-wrap content-center items-center gap-1">
        {badges}
        {pairs.length > shown.length && (
          <span className="text-small text-ink3">+{pairs.length - shown.length}</span>
        )}
      </span>
    </span>
  );
}

function Pair({
  name,
  text,
  isBrief,
  view,
}: {
  name: string;
  text: string;
  isBrief: boolean;
  view: ValueView | undefined;
}) {
  const own = view?.(text);
  return (
    <span
      dir="ltr"
      className={`rounded-control border font-mono text-small text-ink2 border-line bg-surface ${own === undefined ? 'px-1.5 py-0.5' : 'overflow-clip ps-1.5'} ${isBrief ? briefClass(own !== undefined) : `inline-flex max-w-full wrap-anywhere ${isLong(text) ? 'flex-wrap' : ''} ${own === undefined ? 'items-baseline' : 'items-center'}`}`}
    >
      <span
        className={`text-ink3 ${own === undefined ? (isBrief ? '' : keyClass) : 'max-w-40 shrink-0 truncate'}`}
      >
        {name}=
      </span>
      {own === undefined ? (
        <Value text={text} isBrief={isBrief} />
      ) : (
        <span className="flex min-w-0 [&_.id-tag]:h-5.5 [&_.id-tag]:pe-1">{own}</span>
      )}
    </span>
  );
}

// Badges that do not fit are on lines below, which `two-lines` hides.
const briefClass = (isId: boolean) =>
  isId ? 'inline-flex max-w-full shrink-0 items-center' : 'max-w-full truncate print:whitespace-normal';

// A long value does not squeeze its key into a column of letters.
const keyClass = 'max-w-40 shrink-0';
// More do not fit into any row, and each is an element.
const mostOnTwoLines = 12;
const longestWord = 48;
const longestText = 200;

/** The pairs of an object, sorted by key. */
function pairsOf(data: object, omit: readonly string[]): [string, string][] {
  return Object.entries(data)
    .filter(([key]) => !omit.includes(key))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, value]: [string, unknown]) => flat(key, value));
}

function flat(key: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[key, String(value)]];
  if (Array.isArray(value) && !value.some((item) => typeof item === 'object' && item !== null))
    return [[key, value.length === 0 ? uiCopy.noValue : value.join(', ')]];
  const inner = pairsOf(value, []);
  return inner.length === 0 ? [[key, uiCopy.noValue]] : inner.map(([name, text]) => [`${key}.${name}`, text]);
}

/** Whether a value is shown in five lines; where there is little room, it begins below its key. */
function isLong(text: string): boolean {
  return text.length > longestText && /\s/u.test(text);
}

/** A value; the ends of a long word, such as a digest, whose tooltip has all of it. */
function Value({ text, isBrief }: { text: string; isBrief: boolean }) {
  if (!isBrief && isLong(text))
    return (
      <LongText text={text}>
        <span className="wrap-anywhere">{text}</span>
      </LongText>
    );
  if (text.length <= longestWord || (!isBrief && /\s/u.test(text)))
    return <span className="min-w-0">{text}</span>;
  return (
    <>
      <span title={text} className="print:hidden">
        {middleTruncate(text, longestWord / 2)}
      </span>
      <span className="hidden wrap-anywhere print:inline">{text}</span>
    </>
  );
}
