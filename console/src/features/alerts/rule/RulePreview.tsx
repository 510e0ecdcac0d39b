import type { Output } from '@corral/contract';
import { PreviewCard } from '../../../ui/layout/PreviewCard.tsx';
import { PreviewFigure } from '../../../ui/layout/PreviewFigure.tsx';
import { PreviewPart } from '../../../ui/layout/PreviewPart.tsx';
import { StackedBars } from '../../../ui/picture/StackedBars.tsx';
import { formatDate } from '../../../ui/time/format-time.ts';
import { useNow } from '../../../ui/time/use-now.ts';
import { ruleCopy } from './copy.ts';

const words = ruleCopy.preview;
const dayMs = 86_400_000;

type Answer = Output<'alerts_PreviewRule'>;

/** What a rule would find now, and how often it would have told in the last 30 days. */
export function RulePreview(asked: {
  /** Why there is nothing to preview yet. */
  problem: string | undefined;
  preview: Answer | undefined;
  error: Error | null;
  /** Whether the preview is of what is typed. */
  isCurrent: boolean;
}) {
  return (
    <PreviewCard words={words} {...asked}>
      {(preview) => <Found {...{ preview }} />}
    </PreviewCard>
  );
}

function Found({ preview: { count, names, days } }: { preview: Answer }) {
  const more = count - names.length;
  return (
    <>
      {count === 0 ? (
        <p className="px-4.5 py-4 text-body text-ink2">{words.none}</p>
      ) : (
        <dl>
          <PreviewFigure value={count.toLocaleString('en')} label={words.now} tone="denim" />
        </dl>
      )}
      {names.length > 0 && (
        <PreviewPart title={words.names}>
          <p className="text-body wrap-anywhere">
            {names.join(', ')}
            {more > 0 && <span className="text-ink2"> {words.more(more)}</span>}
          </p>
        </PreviewPart>
      )}
      {days !== undefined && (
        <PreviewPart title={words.month}>
          <Month {...{ days }} />
        </PreviewPart>
      )}
    </>
  );
}

function Month({ days }: { days: readonly number[] }) {
  const now = useNow('minute');
  const total = days.reduce((sum, count) => sum + count, 0);
  const atOf = (index: number) => now - (days.length - 1 - index) * dayMs;
  return (
    <>
      <p className="mb-3 text-body text-ink2">{words.monthText(total)}</p>
      {total > 0 && (
        <StackedBars
          label={words.chart(total)}
          times={{ fromMs: atOf(0), stepMs: dayMs, steps: days.length }}
          bars={days.map((count, index) => ({ name: formatDate(atOf(index)), parts: [count] }))}
          layers={[{ name: words.fired, className: 'fill-warn-fill' }]}
          describe={(index) => words.day(formatDate(atOf(index)), days[index] ?? 0)}
          height={64}
        />
      )}
    </>
  );
}
