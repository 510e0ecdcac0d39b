import type { ReactNode } from 'react';
import { messageOf } from '../form/message-of.ts';
import { Card } from './Card.tsx';
import { Notice } from './Notice.tsx';

/** The card beside a form that says what it would do now; `children` shows the answer of the hub. */
export function PreviewCard<Answer>({
  words,
  problem,
  preview,
  error,
  isCurrent,
  children,
}: {
  words: Readonly<Record<'title' | 'asOfNow' | 'reading' | 'failed' | 'unfinished', string>>;
  /** Why there is nothing to preview yet. */
  problem: string | undefined;
  preview: Answer | undefined;
  error: Error | null;
  /** Whether the preview is of what is typed. */
  isCurrent: boolean;
  children: (preview: Answer) => ReactNode;
}) {
  return (
    <Card
      isFlush
      title={words.title}
      meta={
        <span role="status" className="ms-auto text-small">
          {preview === undefined ? '' : isCurrent ? words.asOfNow : words.reading}
        </span>
      }
    >
      {error !== null ? (
        <div className="p-4.5">
          <Notice tone="danger" title={words.failed}>
            {messageOf(error)}
          </Notice>
        </div>
      ) : preview === undefined ? (
        <p className="px-4.5 py-4 text-body text-ink2">
          {problem === undefined ? words.reading : `${words.unfinished} ${problem}.`}
        </p>
      ) : (
        children(preview)
      )}
    </Card>
  );
}
