import { Card } from '../../ui/layout/Card.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { formatDuration } from '../../ui/time/format-duration.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { otlpCopy } from './copy.ts';
import type { OtlpStream } from './otlp.ts';

const plain = (n: number): string => n.toLocaleString('en');
const words = otlpCopy.stream;

/** How a stream stands: what waits, and what became of the rest. */
export function StreamCard({ stream: of }: { stream: OtlpStream }) {
  const { stream, lagSecs, sent, dropped, setAside, lastSentAt, lastError, lastErrorAt, nextAttemptAt } = of;
  const lost = (n: number, hint: string) =>
    n === 0 ? undefined : (
      <>
        {plain(n)} <span className="text-ink3">{hint}</span>
      </>
    );
  return (
    <Card title={otlpCopy.streamNames[stream]} isFlush>
      <Properties
        items={[
          { name: words.lag, value: lagSecs === 0 ? words.none : formatDuration(lagSecs) },
          { name: words.sent, value: plain(sent) },
          { name: words.dropped, value: lost(dropped, words.droppedHint) },
          { name: words.setAside, value: lost(setAside, words.setAsideHint) },
          { name: words.lastSent, value: lastSentAt && <RelativeTime at={lastSentAt} /> },
          { name: words.next, value: nextAttemptAt && <RelativeTime at={nextAttemptAt} /> },
          {
            name: words.lastError,
            value: lastError && (
              <>
                {lastError} {lastErrorAt !== undefined && <RelativeTime at={lastErrorAt} />}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
