import { jsonText } from './json-text.ts';
import { LongText } from './LongText.tsx';

/** An object as formatted JSON; a string, number or boolean as text. Only five lines of a long value show at first, unless it `isWhole`. */
export function JsonView({ value, isWhole = false }: { value: unknown; isWhole?: boolean | undefined }) {
  const text = typeof value === 'object' && value !== null ? jsonText(value, 2) : undefined;
  const shown =
    text === undefined ? (
      <span className="wrap-anywhere">{String(value ?? '')}</span>
    ) : (
      <pre dir="ltr" className="font-mono text-mono wrap-anywhere whitespace-pre-wrap">
        {text}
      </pre>
    );
  return isWhole ? shown : <LongText text={text ?? String(value ?? '')}>{shown}</LongText>;
}
