import { middleTruncate } from '../text/middle-truncate.ts';

/** The properties of an object as key=value, sorted by key, without the keys in `omit`. A scalar is shown as text. */
export function KeyValueBadges({ data, omit = [] }: { data: unknown; omit?: readonly string[] | undefined }) {
  if (typeof data !== 'object' || data === null)
    return <code className="font-mono text-small text-ink2">{String(data ?? '')}</code>;
  const entries = Object.entries(data)
    .filter(([key]) => !omit.includes(key))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <span className="flex flex-wrap gap-1">
      {entries.map(([key, value]) => (
        <span
          key={key}
          dir="ltr"
          className="rounded-control border border-line bg-surface px-1.5 py-0.5 font-mono text-small wrap-anywhere text-ink2"
        >
          <span className="text-ink3">{key}=</span>
          <Value text={typeof value === 'object' ? JSON.stringify(value) : String(value)} />
        </span>
      ))}
    </span>
  );
}

const longestWord = 48;

/** A value; the ends of a long word, such as a digest, whose tooltip has all of it. */
function Value({ text }: { text: string }) {
  if (text.length <= longestWord || /\s/u.test(text)) return text;
  return (
    <>
      <span title={text} className="print:hidden">
        {middleTruncate(text, longestWord / 2)}
      </span>
      <span className="hidden print:inline">{text}</span>
    </>
  );
}
